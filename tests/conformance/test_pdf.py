"""The official examples as PDF, validated by veraPDF, which is downloaded from Maven Central if Java and Maven are installed."""
import pathlib
import shutil
import subprocess

import pytest

import product

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = "!!! NO PDF WAS JUDGED BY VERAPDF: {} !!!"


@pytest.fixture(scope="module")
def verapdf():
    """The command that validates files as PDF/A-3, level A."""
    for program in ("java", "mvn"):
        if not shutil.which(program):
            pytest.skip(SKIPPED.format(f"there is no {program}"))
    folder = ROOT / ".local" / "verapdf"
    if not list(folder.glob("greenfield-apps-*.jar")):
        pom = ROOT / "tests" / "conformance" / "verapdf" / "pom.xml"
        fetch = ["mvn", "--quiet", "--batch-mode", "--file", pom, "dependency:copy-dependencies", f"-DoutputDirectory={folder}"]
        done = subprocess.run(fetch, capture_output=True, text=True)
        if done.returncode != 0:
            pytest.skip(SKIPPED.format(f"it could not be fetched: {done.stdout.strip()[-300:]}"))
    return ["java", "-cp", f"{folder}/*", "org.verapdf.apps.GreenfieldCliWrapper", "--flavour", "3a", "--format", "text"]


def judged(verapdf, files):
    """PASS or FAIL of each file, by its name."""
    done = subprocess.run([*verapdf, *files], capture_output=True, text=True)
    lines = (line.split() for line in done.stdout.splitlines())
    found = {pathlib.Path(line[1]).name: line[0] for line in lines if line and line[0] in ("PASS", "FAIL")}
    assert found.keys() == {file.name for file in files}, done.stderr
    return found


def test_every_official_example_is_a_pdf_a_3_with_itself_within(officials, verapdf, figures, tmp_path):
    files = []
    # Without optimization each PDF takes two seconds: every fourth in one language.
    for language, step in (("both", 1), ("en", 4), ("ar", 4)):
        shown = dict(list(officials.items())[::step])
        out = tmp_path / language
        command = [product.binary("ACCESS_POINT_BIN", "access-point"), "render", "--format", "pdf", "--language", language]
        done = subprocess.run([*command, "--out", out, *shown.values()], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        for name, path in shown.items():
            kept = tmp_path / f"{language}-{name.replace('/', '-')}.pdf"
            files.append((out / f"{path.stem}.pdf").rename(kept))
    found = judged(verapdf, files)
    assert set(found.values()) == {"PASS"}, {name for name, verdict in found.items() if verdict != "PASS"}
    figures(f"{len(files)} PDFs of {len(officials)} official examples: PDF/A-3a, says veraPDF")


def test_a_pdf_that_is_none_fails(officials, verapdf, tmp_path):
    path = next(iter(officials.values()))
    command = [product.binary("ACCESS_POINT_BIN", "access-point"), "render", "--format", "pdf", path]
    pdf = subprocess.run(command, capture_output=True, check=True).stdout
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(pdf.replace(b"<pdfaid:part>3</pdfaid:part>", b"<pdfaid:part>9</pdfaid:part>"))
    assert judged(verapdf, [broken]) == {"broken.pdf": "FAIL"}
