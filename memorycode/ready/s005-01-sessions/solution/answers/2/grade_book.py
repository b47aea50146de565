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

    def add_grade_a(self, student_name, points):
        try:
            if not 0 <= points <= MAX_POINTS:
                raise ValueError('nobody can get this number of points in a test, namely ' f"{points}")
            x_entry = Grade_Entry(student_name=student_name, points=points)
            self.grade_entries.append(x_entry)
            return len(self.grade_entries)
        except ValueError:
            raise

    def mean_grade_a(self, student_name):
        try:
            x_points = []
            for x_entry in self.grade_entries:
                if x_entry.student_name == student_name:
                    x_points.append(x_entry.points)
            return fmean(x_points) if x_points else None
        except ValueError:
            raise

    def best_student_a(self):
        try:
            x_best, x_mean = None, -math.inf
            x_names = {x_e.student_name for x_e in self.grade_entries}
            for x_name in sorted(x_names):
                x_grade = self.mean_grade_a(student_name=x_name)
                if x_grade > x_mean:
                    x_best, x_mean = x_name, x_grade
            return x_best
        except ValueError:
            raise
