"""Reads template.yaml for the runner."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from ministack.services.cloudformation import language_extensions

# The emulator sends every event of this function to the address in this variable.
HAND_OVER = "MINISTACK_LAMBDA_PROXY_URL"


@dataclass(frozen=True)
class Route:
    """A route of the HTTP API and the logical name of its function."""

    method: str
    path: str
    function: str

    @property
    def key(self) -> str:
        return f"{self.method} {self.path}"

    def match(self, method: str, path: str) -> dict[str, str] | None:
        """The path parameters if a request matches; `{name+}` matches the rest of the path."""
        if self.method not in ("ANY", method):
            return None
        pattern = ""
        for literal, name, greedy in re.findall(r"([^{]+)|\{([^}+]+)(\+?)\}", self.path):
            pattern += re.escape(literal) if literal else f"(?P<{name}>{'.+' if greedy else '[^/]+'})"
        found = re.fullmatch(pattern, path)
        return found.groupdict() if found else None


class _Loader(yaml.SafeLoader):
    """Reads the short forms of CloudFormation's functions."""


def _intrinsic(loader: yaml.SafeLoader, name: str, node: yaml.Node) -> dict:
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
        if name == "GetAtt":
            value = value.split(".", 1)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        value = loader.construct_mapping(node, deep=True)
    return {name if name in ("Ref", "Condition") else f"Fn::{name}": value}


yaml.add_multi_constructor("!", _intrinsic, Loader=_Loader)


def load(path: Path) -> dict:
    """The template with the long forms of CloudFormation's functions."""
    return yaml.load(path.read_text(), _Loader)


def expanded(template: dict) -> dict:
    """The template as the transform AWS::LanguageExtensions writes it. Values that Fn::Sub knows already are filled in."""
    return _substituted(language_extensions.apply(template, {}))


def _substituted(node: object) -> object:
    if isinstance(node, list):
        return [_substituted(each) for each in node]
    if not isinstance(node, dict):
        return node
    made = {key: _substituted(value) for key, value in node.items()}
    if list(made) != ["Fn::Sub"]:
        return made
    text, values = made["Fn::Sub"] if isinstance(made["Fn::Sub"], list) else (made["Fn::Sub"], {})
    open_values = {name: value for name, value in values.items() if not isinstance(value, str)}
    for name, value in values.items():
        if name not in open_values:
            text = text.replace(f"${{{name}}}", value)
    if "${" not in text:
        return text
    return {"Fn::Sub": [text, open_values] if open_values else text}


class Template:
    """The template with the two changes for one machine."""

    def __init__(self, path: Path):
        self._content = load(path)
        self._expanded = expanded(self._content)

    def resources(self) -> dict[str, dict]:
        """Every resource, including those of loops, by logical name."""
        return self._expanded["Resources"]

    def functions(self) -> dict[str, str]:
        """The binary of every function, by logical name."""
        return {name: resource["Metadata"]["BuildProperties"]["Binary"] for name, resource in self._functions()}

    def routes(self, api: str) -> list[Route]:
        """The routes of the HTTP API with this logical name, in the order in which API Gateway matches: full paths first, then paths
        that end in `{name+}`, the longest of these first."""
        found = []
        for name, resource in self._functions():
            for event in resource["Properties"].get("Events", {}).values():
                properties = event["Properties"]
                if event["Type"] == "HttpApi" and properties["ApiId"] == {"Ref": api}:
                    found.append(Route(properties["Method"].upper(), properties["Path"], name))
        return sorted(found, key=lambda route: ("+}" in route.path, -len(route.path)))

    def throttles(self, api: str, given: dict[str, str]) -> tuple[dict[str, tuple[float, float]], tuple[float, float]]:
        """Rate and burst of the HTTP API with this logical name: for each route with settings of its own, and for all others."""
        properties = self.resources()[api]["Properties"]

        def of(settings: dict) -> tuple[float, float]:
            rate, burst = (settings[name]["Ref"] for name in ("ThrottlingRateLimit", "ThrottlingBurstLimit"))
            return self.number(rate, given), self.number(burst, given)

        own = {key: of(settings) for key, settings in properties.get("RouteSettings", {}).items()}
        return own, of(properties["DefaultRouteSettings"])

    def _functions(self) -> Iterator[tuple[str, dict]]:
        """The logical name and the resource of every function."""
        for name, resource in self.resources().items():
            if resource["Type"] == "AWS::Serverless::Function":
                yield name, resource

    def mapping(self, name: str) -> dict[str, dict]:
        return self._content["Mappings"][name]

    def parameters(self) -> dict[str, dict]:
        return self._content.get("Parameters", {})

    def number(self, parameter: str, given: dict[str, str]) -> float:
        """The value of a numeric parameter."""
        return float(given.get(parameter, self.parameters()[parameter]["Default"]))

    def environments(self, given: dict[str, str], resource: Callable[[str], str]) -> dict[str, dict[str, str]]:
        """The variables of every function by its binary, before a deployment. `resource` returns the future name of a resource from its
        logical name."""

        def value(said: str | int | dict) -> str:
            if not isinstance(said, dict):
                return str(said)
            [(intrinsic, name)] = said.items()
            assert intrinsic == "Ref", said
            return given.get(name, str(self.parameters()[name]["Default"])) if name in self.parameters() else resource(name)

        def variables(of: dict) -> dict:
            return of.get("Environment", {}).get("Variables", {})

        shared = variables(self._content["Globals"]["Function"])
        binaries = self.functions()
        return {
            binaries[name]: {variable: value(said) for variable, said in (shared | variables(function["Properties"])).items()}
            for name, function in self._functions()
        }

    def prepared(self, code: dict[str, str], hand_over_url: str) -> str:
        """The template to deploy: code comes from a bucket, events go to the runner."""
        content = json.loads(json.dumps(self._content, default=str))
        settings = content["Globals"]["Function"]
        settings["CodeUri"] = code
        settings["Environment"]["Variables"][HAND_OVER] = hand_over_url
        return json.dumps(content)
