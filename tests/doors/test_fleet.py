"""A fleet for real: replicas, nginx, restarts, a kill; and the files by which others deploy it, checked by their tools."""

import asyncio
import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import kubernetes_validate
import pytest
import yaml
from mcp_serving import HANG

from readwell.doors.mcp.mcp_command import command_parser
from readwell.doors.mcp.metrics import Metrics
from readwell.model import Reply

HOUSE = Path(__file__).parents[2]
DEPLOY = HOUSE / "deploy"
sys.path.insert(0, str(HOUSE / "benchmarks"))
PATHS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def run(name, *words, cwd=DEPLOY):
    """Runs a program of Debian; it must succeed."""
    program = shutil.which(name, path=PATHS)
    if program is None:
        pytest.skip(f"NOT TESTED: {name} is not installed")
    ran = subprocess.run([program, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=HANG)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout + ran.stderr


def known_metrics():
    metrics = Metrics([], lambda: 0)
    metrics.count("read", "native", Reply("text", {}), 0.1)
    names = set(re.findall(r"^# TYPE (\S+)", metrics.text(), re.MULTILINE))
    return names | {f"readwell_call_seconds_{part}" for part in ("bucket", "sum", "count")}


def named_metrics(text):
    return set(re.findall(r"\breadwell_[a-z_]+", text))


def test_dashboard_alerts_and_page_name_metrics_that_exist_and_the_page_names_all():
    known = known_metrics()
    dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    assert named_metrics("\n".join(asked)) <= known and len(asked) > 10
    assert named_metrics((DEPLOY / "alerts.yml").read_text()) <= known
    page = named_metrics((HOUSE / "docs" / "fleet.md").read_text())
    families = {name for name in known if not re.search("seconds_(bucket|sum|count)$", name)}
    assert (page - known, families - page) == (set(), set())


def test_prometheus_accepts_its_configuration_and_the_alerts_fire_when_they_should():
    assert "SUCCESS" in run("promtool", "check", "config", "--syntax-only", "prometheus.yml")
    assert "7 rules found" in run("promtool", "check", "rules", "alerts.yml")
    assert "SUCCESS" in run("promtool", "test", "rules", "alerts_test.yml")


def test_systemd_accepts_the_unit(tmp_path):
    unit = (DEPLOY / "readwell@.service").read_text().replace("/opt/readwell/bin/readwell", sys.executable)
    (tmp_path / "readwell@8000.service").write_text(unit)
    assert run("systemd-analyze", "verify", tmp_path / "readwell@8000.service") == ""


def test_kubernetes_accepts_the_manifest():
    documents = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text()))
    for document in documents:
        kubernetes_validate.validate(document, "1.33", strict=True)
    assert [document["kind"] for document in documents] == ["Deployment", "Service", "PodDisruptionBudget"]


def test_compose_accepts_its_file_and_the_other_files_name_its_services(tmp_path):
    for file in DEPLOY.iterdir():
        shutil.copy(file, tmp_path)
    for secret in ("tokens.toml", "prometheus.token"):
        (tmp_path / secret).touch()
    services = {
        name for name in yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"] if "readwell" in name
    }
    scraped = yaml.safe_load((DEPLOY / "prometheus.yml").read_text())["scrape_configs"][0]["static_configs"][0][
        "targets"
    ]
    balanced = re.findall(r"server (readwell-\d:8000)", (DEPLOY / "nginx.conf").read_text())
    assert set(scraped) == set(balanced) == {f"{name}:8000" for name in services} and len(services) == 2
    run("docker-compose", "-f", "compose.yaml", "config", "-q", cwd=tmp_path)


def test_every_deployed_command_line_is_one_that_the_server_takes():
    unit = (DEPLOY / "readwell@.service").read_text()
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["readwell-1"]["command"]
    pod = yaml.safe_load((DEPLOY / "kubernetes.yaml").read_text().split("---")[0])["spec"]["template"]["spec"]
    lines = [re.search(r"^ExecStart=\S+ mcp (.*)", unit, re.MULTILINE)[1], shlex.join(compose)]
    for line in [*lines, shlex.join(pod["containers"][0]["args"])]:
        options = command_parser().parse_args(shlex.split(line.replace("%i", "8000")))
        assert options.tokens_file and options.per_client.conversions == 2 and options.allowed_host
    grace = {
        options.grace_s,
        pod["terminationGracePeriodSeconds"] - 15,
        int(re.search(r"TimeoutStopSec=(\d+)", unit)[1]) - 10,
    }
    assert grace == {30}


@pytest.mark.slow
def test_a_fleet_survives_restarts_and_a_kill_and_its_record_has_every_answer():
    """The short form of `make fleet`."""
    from fleet import measure

    if shutil.which("nginx", path=PATHS) is None:
        pytest.skip("NOT TESTED: nginx is not installed")
    result, load = measure(8, clients=16)
    print(result)
    hot = result["hot_documents"]
    assert (result["errors"], result["cut_bodies"], result["differing_answers"]) == (0, 0, 0), result
    assert result["answers_missing_in_record"] == 0 and len(result["events"]) == 3 and len(load.times) > 100
    assert result["records_without_seen_answer"] <= result["clients"]  # each had at most one call at the killed replica
    assert hot["conversions"] == hot["conversions_of_one_reader"] and hot["documents"] == 4


@pytest.mark.slow
def test_a_replica_that_is_back_answers_at_once_when_the_next_one_goes(tmp_path):
    """A balancer that shuns a replica for a while after a failure would have nobody to ask."""
    from fleet_client import Client
    from fleet_servers import HOST, Balancer, Fleet, token_of

    if shutil.which("nginx", path=PATHS) is None:
        pytest.skip("NOT TESTED: nginx is not installed")

    async def calls(client):
        answers = [await client.call("read", path="a.txt") for _ in range(8)]
        client.close()
        return [answer.status for answer in answers]

    root, folder = tmp_path / "root", tmp_path / "work"
    for made in (root, folder):
        made.mkdir()
    (root / "a.txt").write_text("found\n")
    fleet = Fleet(root, folder, 2)
    try:
        for number in (0, 1):
            fleet.start(number)
        balancer = Balancer(fleet.ports, folder)
        try:
            statuses = []
            for number in (0, 1):
                fleet.stop(number, signal.SIGTERM)
                statuses += asyncio.run(calls(Client("127.0.0.1", balancer.port, token_of(0), HOST)))
                fleet.start(number)
            assert statuses == [200] * 16
        finally:
            balancer.close()
    finally:
        fleet.close()
