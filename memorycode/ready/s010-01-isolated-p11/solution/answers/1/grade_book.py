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
        entry = Grade_Entry(student_name=student_name, points=points)
        self.grade_entries.append(entry)
        return len(self.grade_entries)

    def mean_grade(self, student_name):
        points = []
        for entry in self.grade_entries:
            if entry.student_name == student_name:
                points.append(entry.points)
        return fmean(points) if points else None

    def best_student(self):
        best, mean = None, -math.inf
        names = {e.student_name for e in self.grade_entries}
        for name in sorted(names):
            grade = self.mean_grade(student_name=name)
            if grade > mean:
                best, mean = name, grade
        return best
