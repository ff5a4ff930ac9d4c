"""Writes the table of parameters in infra/OPERATE.md, and the table of the local runner's own values in infra/README.md.

python infra/configuration.py          # writes the tables
python infra/configuration.py --check  # changes nothing; exit status 1 when a table would change
"""

import pathlib
import sys

from local_aws import switches
from local_aws.template import load

HERE = pathlib.Path(__file__).resolve().parent
BEGIN = "<!-- configuration: written by infra/configuration.py -->\n"
END = "<!-- configuration: end -->\n"


def variables(node, found: dict[str, str]) -> dict[str, str]:
    """The environment variable that carries each parameter to the functions."""
    if isinstance(node, dict):
        for name, value in node.get("Variables", {}).items() if isinstance(node.get("Variables"), dict) else ():
            if isinstance(value, dict) and set(value) == {"Ref"}:
                found.setdefault(value["Ref"], name)
        for value in node.values():
            variables(value, found)
    elif isinstance(node, list):
        for value in node:
            variables(value, found)
    return found


def values(parameter: dict) -> str:
    """The default, and the other allowed values."""
    default = parameter.get("Default", "")
    said = f"`{default}`" if default != "" else "none" if "Default" in parameter else "required"
    if "AllowedValues" in parameter:
        others = [f"`{value}`" for value in parameter["AllowedValues"] if value != default]
        said += f" ({', '.join(others)})"
    elif "MinValue" in parameter:
        most = f" to {parameter['MaxValue']}" if "MaxValue" in parameter else " or more"
        said += f" ({parameter['MinValue']}{most})"
    return said


def table(template: dict) -> str:
    """A row for each parameter, by the groups in which the console shows them."""
    carried = variables(template["Globals"], variables(template["Resources"], {}))
    parameters = template["Parameters"]
    groups = template["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    lines = ["| parameter | default | variable | meaning |", "|---|---|---|---|"]
    ungrouped = set(parameters)
    for group in groups:
        lines.append(f"| **{group['Label']['default']}** | | | |")
        for name in group["Parameters"]:
            ungrouped.discard(name)
            parameter = parameters[name]
            variable = f"`{carried[name]}`" if name in carried else ""
            description = " ".join(parameter["Description"].split()).replace("|", "\\|")
            lines.append(f"| `{name}` | {values(parameter)} | {variable} | {description} |")
    if ungrouped:
        raise SystemExit(f"template.yaml shows these parameters in no group: {', '.join(sorted(ungrouped))}")
    return "\n".join(lines) + "\n"


def write(document: str, made: str, check: bool) -> int:
    """Writes a table between its markers. Returns 1 if the table differs and `check` forbids writing."""
    path = HERE / document
    text = path.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    new = before + BEGIN + made + END + after
    if not check:
        path.write_text(new)
    elif new != text:
        print(f"infra/{document}: its table is not what template.yaml and the local runner say; run infra/configuration.py")
    return int(check and new != text)


def main() -> int:
    check = sys.argv[1:] == ["--check"]
    template = load(HERE.parent / "template.yaml")
    return write("OPERATE.md", table(template), check) | write("README.md", switches.table(template), check)


if __name__ == "__main__":
    sys.exit(main())
