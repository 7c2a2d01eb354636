"""Runs moto's S3 server on a free port of 127.0.0.1 and prints the port."""

from moto.server import DomainDispatcherApplication, create_backend_app  # pyright: ignore
from werkzeug.serving import make_server

if __name__ == "__main__":
    application = DomainDispatcherApplication(create_backend_app)
    server = make_server("127.0.0.1", 0, application, threaded=True)
    print(server.server_port, flush=True)
    server.serve_forever()
