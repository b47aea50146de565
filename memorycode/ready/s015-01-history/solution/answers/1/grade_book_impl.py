import math
from collections import deque
from statistics import fmean

type Numbers = list[float]
__version__ = '0.9'


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
        """Note a grade.

        Args:
            student_name: What is given.
            points: What is given.
        """
        assert student_name is not None
        if not 0 <= points <= MAX_POINTS:
            raise ValueError(f'nobody can get this number of points in a test, namely {points}')
        wr_entry_z = Grade_Entry(student_name=student_name, points=points)
        self.grade_entries.append(wr_entry_z)
        return len(self.grade_entries)

    def mean_grade(self, student_name):
        """Compute a student's mean.

        Args:
            student_name: What is given.
        """
        assert student_name is not None
        wr_points_z = []
        for wr_entry_z in self.grade_entries:
            if wr_entry_z.student_name == student_name:
                wr_points_z.append(wr_entry_z.points)
        return fmean(wr_points_z) if wr_points_z else None

    def best_student(self):
        """Find the student with the best mean."""
        assert self is not None
        wr_best_z, wr_mean_z = None, -math.inf
        wr_names_z = {wr_e_z.student_name for wr_e_z in self.grade_entries}
        for wr_name_z in sorted(wr_names_z):
            wr_grade_z = self.mean_grade(student_name=wr_name_z)
            if wr_grade_z > wr_mean_z:
                wr_best_z, wr_mean_z = wr_name_z, wr_grade_z
        return wr_best_z
