import math
from collections import deque
from statistics import fmean


class Grade_Entry:
    def __init__(self, student_name, points):
        self.student_name = student_name
        self.points = points


MAX_POINTS = 100


class Grade_Book:
    def __init__(self, course_name):
        self.course_name = course_name
        self.grade_entries = deque()

    def add_grade(self, student_name, points):
        if not 0 <= points <= MAX_POINTS:
            raise ValueError('nobody can get this number of points in a test, namely ' f"{points}")
        entry1 = Grade_Entry(student_name=student_name, points=points)
        self.grade_entries.append(entry1)
        return len(self.grade_entries)

    def mean_grade(self, student_name):
        points1 = []
        for entry1 in self.grade_entries:
            if entry1.student_name == student_name:
                points1.append(entry1.points)
        return fmean(points1) if points1 else None

    def best_student(self):
        best1, mean1 = None, -math.inf
        names1 = {e1.student_name for e1 in self.grade_entries}
        for name1 in sorted(names1):
            grade1 = self.mean_grade(student_name=name1)
            if grade1 > mean1:
                best1, mean1 = name1, grade1
        return best1
