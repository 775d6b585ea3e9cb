"""decision: from what a model says of rows it has not seen to what to do: calibrated probabilities, the operating
point, prediction intervals. Plain frozen values that a model file keeps (store/decision.py); nothing here knows a
model.

    out-of-fold scores --fit_calibrator--> ProbabilityCalibrator --choose_operating_point--> OperatingPoint
    out-of-fold residuals --fit_intervals--> PredictionIntervals
"""

from dataclasses import dataclass

from hedgerow.decision.aim import Aim, parse_aim
from hedgerow.decision.calibrator import ProbabilityCalibrator, fit_calibrator
from hedgerow.decision.conformal import COVERAGES, PredictionIntervals, fit_intervals
from hedgerow.decision.operating_point import OperatingPoint, choose_operating_point

__all__ = [
    "COVERAGES",
    "Aim",
    "Decision",
    "OperatingPoint",
    "PredictionIntervals",
    "ProbabilityCalibrator",
    "choose_operating_point",
    "fit_calibrator",
    "fit_intervals",
    "parse_aim",
]


@dataclass(frozen=True)
class Decision:
    """What is done with the outputs of a fitted model. Classes are in the order of the model's `classes_`."""

    calibrator: ProbabilityCalibrator | None = None
    point: OperatingPoint | None = None
    intervals: PredictionIntervals | None = None
