"""Matches, ratings and the exam against perfect play."""

from alphadiamond.arena.exam import Exam, ExamError, ExamResult, Share, exam_batch, exam_table, run_exam

__all__ = ["Exam", "ExamError", "ExamResult", "Share", "exam_batch", "exam_table", "run_exam"]
