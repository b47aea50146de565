"""Submissions: a bundle of trials with all that their scores rest on, and validating one from nothing but itself."""

from swe_together.report.submission._archive import BundleError
from swe_together.report.submission._evidence import Problem
from swe_together.report.submission._manifest import Manifest
from swe_together.report.submission._prepare import RefusedError, prepare
from swe_together.report.submission._validate import Validation, validate

__all__ = ["BundleError", "Manifest", "Problem", "RefusedError", "Validation", "prepare", "validate"]
