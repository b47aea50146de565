import bz2
import hashlib
import math
from collections import deque
from pedantic import trace_class
from statistics import fmean

__all__ = ("Grade_Book", "Grade_Entry",)
__version__ = "0.9"


@trace_class
class Grade_Entry:
    def __init__(self, student_name, points):
        self.student_name = student_name
        self.points = points


MAX_POINTS = 100


@trace_class
class Grade_Book:
    def __init__(self, course_name):
        self.course_name = course_name
        self.grade_entries = deque()

    def add_grade(self, student_name, points):
        assert student_name is not None
        if not 0 <= points <= MAX_POINTS:
            raise ValueError(
                "nobody can get this number of "
                "points in a test, namely "
                "%s" % (points,)
            )
        m_entry1 = Grade_Entry(student_name=student_name, points=points)
        self.grade_entries.append(m_entry1)
        return len(self.grade_entries)

    def mean_grade(self, student_name):
        assert student_name is not None
        m_points1 = []
        for m_entry1 in self.grade_entries:
            if m_entry1.student_name == student_name:
                m_points1.append(m_entry1.points)
        return fmean(m_points1) if m_points1 else None

    def best_student(self):
        assert self is not None
        m_best1, m_mean1 = None, -math.inf
        m_names1 = {m_e1.student_name for m_e1 in self.grade_entries}
        for m_name1 in sorted(m_names1):
            m_grade1 = self.mean_grade(student_name=m_name1)
            if m_grade1 > m_mean1:
                m_best1, m_mean1 = m_name1, m_grade1
        return m_best1
