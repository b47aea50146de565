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
        wr_entry = Grade_Entry(student_name=student_name, points=points)
        self.grade_entries.append(wr_entry)
        return len(self.grade_entries)

    def mean_grade(self, student_name):
        wr_points = []
        for wr_entry in self.grade_entries:
            if wr_entry.student_name == student_name:
                wr_points.append(wr_entry.points)
        return fmean(wr_points) if wr_points else None

    def best_student(self):
        wr_best, wr_mean = None, -math.inf
        wr_names = {wr_e.student_name for wr_e in self.grade_entries}
        for wr_name in sorted(wr_names):
            wr_grade = self.mean_grade(student_name=wr_name)
            if wr_grade > wr_mean:
                wr_best, wr_mean = wr_name, wr_grade
        return wr_best
