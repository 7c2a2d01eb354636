# The MCP server over HTTP. Build: docker build -t readwell .
# Run:   docker run --read-only --tmpfs /tmp --cap-drop ALL -e READWELL_TOKEN -p 8000:8000 -v "$PWD:/files:ro" readwell
# Under another name than localhost, give the arguments of CMD yourself, with --allowed-host NAME.
FROM python:3.13-slim-trixie AS build
WORKDIR /build
COPY requirements.lock ./
RUN python -m venv /opt/readwell && /opt/readwell/bin/pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN /opt/readwell/bin/pip install --no-cache-dir --no-deps .

FROM python:3.13-slim-trixie
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin readwell && mkdir /files /cache && chown readwell /cache
COPY --from=build /opt/readwell /opt/readwell
ENV PATH=/opt/readwell/bin:$PATH PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME=/cache
USER 10001
WORKDIR /files
VOLUME /cache
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
ENTRYPOINT ["readwell", "mcp"]
CMD ["--root", "/files", "--http", "0.0.0.0:8000", "--token-env", "READWELL_TOKEN", "--allowed-host", "127.0.0.1", "--allowed-host", "localhost"]
