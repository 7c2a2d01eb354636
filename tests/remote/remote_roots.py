"""What tests of remote roots share: who asks, objects put into a bucket, and watches."""

import http.client
import time
from urllib.parse import urlsplit

from readwell.deadline import Deadline
from readwell.remote.credentials import AwsCredentials
from readwell.remote.http_store import quoted_path
from readwell.remote.s3_store import UnsignedRequest, aws_signature_headers

SECRET = "wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY"
KEYS = {
    "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
    "AWS_SECRET_ACCESS_KEY": SECRET,
    "AWS_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


def put(url, path, body=b"", keys=KEYS):
    """Puts an object, or makes a bucket, with requests of our own signature."""
    host = urlsplit(url).netloc
    target = quoted_path(path)
    unsigned = UnsignedRequest(method="PUT", path=target, query="", host=host, headers={})
    who = AwsCredentials(keys["AWS_ACCESS_KEY_ID"], keys["AWS_SECRET_ACCESS_KEY"])
    connection = http.client.HTTPConnection(host, timeout=20)
    headers = aws_signature_headers(unsigned, who, "us-east-1", time.time(), "UNSIGNED-PAYLOAD")
    connection.request("PUT", target, body, headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert answer.status == 200, (answer.status, path)


def put_all(url, bucket, objects, keys=KEYS):
    """Makes a bucket with objects."""
    put(url, f"/{bucket}", keys=keys)
    for key, body in objects.items():
        put(url, f"/{bucket}/{key}", body, keys)


def deadline(seconds=20.0, **more):
    return Deadline(clock=time.monotonic, expires=time.monotonic() + seconds, seconds=seconds, computed={}, **more)
