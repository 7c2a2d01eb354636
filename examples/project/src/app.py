import os
import json


def main():
    print(json.dumps(dict(os.environ)))
