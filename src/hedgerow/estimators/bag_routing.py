"""Metadata through bagging.   In: what a caller gives beside X.   Out: what the members' method takes of it.

Only with scikit-learn's enable_metadata_routing. Members predict by predict_proba, or by predict where they have no
probabilities; so this is where metadata of predict, predict_proba and predict_log_proba goes. That of fit goes to
their fit.
"""

from typing import Any

from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    _raise_for_params,
    process_routing,
)


class RoutedBag:
    estimator_: Any

    def get_metadata_routing(self) -> MetadataRouter:
        methods = self._methods_called()
        mapping = MethodMapping().add(caller="fit", callee="fit")
        for caller in ("predict", "predict_proba", "predict_log_proba"):
            mapping.add(caller=caller, callee=methods)
        mapping.add(caller="decision_function", callee="decision_function")
        return MetadataRouter(owner=self).add(estimator=self.estimator_, method_mapping=mapping)

    def _methods_called(self) -> str:
        return "predict_proba" if hasattr(self.estimator_, "predict_proba") else "predict"

    def _routed_to_fit(self, given: dict[str, Any]) -> dict[str, Any]:
        """What the members' fit is given beside rows, labels and weights."""
        if not given:
            return {}
        _raise_for_params(given, self, "fit")
        return dict(process_routing(self, "fit", **given).estimator["fit"])

    def _routed(self, caller: str, given: dict[str, Any]) -> dict[str, Any]:
        """What the members are given beside X."""
        if not given:
            return {}
        callee = "decision_function" if caller == "decision_function" else self._methods_called()
        return dict(process_routing(self, caller, **given).estimator[callee])
