"""Tests of sources in buckets against a server that checks signatures."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import boto3
from moto import settings
from moto.core.responses import ActionAuthenticatorMixin
from moto.server import ThreadedMotoServer

import support

LOGO = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
KEYS = ["a.svg", "sub/b c.svg", "x+y&z=1.svg", "ä/ü.svg", "50%.svg", "q?.svg"]
POLICY = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}],
}


class Buckets(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="emblem-buckets-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        server.start()
        cls.addClassCleanup(server.stop)
        host, port = server.get_host_and_port()
        cls.endpoint = f"http://{host}:{port}"
        given = {
            "endpoint_url": cls.endpoint,
            "region_name": "us-east-1",
            "aws_access_key_id": "any",
            "aws_secret_access_key": "any",
        }
        users = boto3.client("iam", **given)
        users.create_user(UserName="reader")
        users.put_user_policy(
            UserName="reader", PolicyName="read", PolicyDocument=json.dumps(POLICY)
        )
        cls.key = users.create_access_key(UserName="reader")["AccessKey"]
        store = boto3.client("s3", **given)
        store.create_bucket(Bucket="logos")
        for key in KEYS:
            store.put_object(Bucket="logos", Key=key, Body=LOGO)
        # From here on, the server refuses requests without a valid signature.
        cls.addClassCleanup(
            setattr,
            settings,
            "INITIAL_NO_AUTH_ACTION_COUNT",
            settings.INITIAL_NO_AUTH_ACTION_COUNT,
        )
        settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
        ActionAuthenticatorMixin.request_count = 0

    def items(self, out: str, environment: dict[str, str]) -> list[dict]:
        rows = [f"s3://logos/{key}" for key in [*KEYS, "none.svg"]]
        (self.folder / "list.txt").write_text("\n".join(rows) + "\n")
        command = [support.EMBLEM, "batch", "--list", "list.txt", "-o", out, "--quiet"]
        command += ["--allow-private", "--layout", "small"]
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "AWS_ENDPOINT_URL_S3": self.endpoint,
            **environment,
        }
        subprocess.run(command, cwd=self.folder, env=environment, check=True)
        lines = (self.folder / out / "manifest.ndjson").read_text().splitlines()
        return [item for item in map(json.loads, lines) if item["type"] == "item"]

    def test_signatures_of_any_key_are_valid(self) -> None:
        key = {
            "AWS_ACCESS_KEY_ID": self.key["AccessKeyId"],
            "AWS_SECRET_ACCESS_KEY": self.key["SecretAccessKey"],
        }
        items = self.items("valid", key)
        self.assertEqual([item["status"] for item in items[:-1]], ["ok"] * len(KEYS))
        self.assertEqual(items[-1]["error"]["http_status"], 404)

    def test_a_key_in_the_file_of_a_profile_is_used(self) -> None:
        (self.folder / ".aws").mkdir()
        (self.folder / ".aws/credentials").write_text(
            f"[default]\naws_access_key_id = {self.key['AccessKeyId']}\n"
            f"aws_secret_access_key = {self.key['SecretAccessKey']}\n"
        )
        self.addCleanup((self.folder / ".aws/credentials").unlink)
        items = self.items("profile", {})
        self.assertEqual([item["status"] for item in items[:-1]], ["ok"] * len(KEYS))

    def test_a_wrong_key_is_refused_by_the_server(self) -> None:
        key = {
            "AWS_ACCESS_KEY_ID": self.key["AccessKeyId"],
            "AWS_SECRET_ACCESS_KEY": "wrong",
        }
        for item in self.items("wrong", key):
            self.assertEqual(item["error"]["class"], "http_4xx")
            self.assertEqual(item["error"]["http_status"], 403)
