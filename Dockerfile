# Debian 13 has the glibc (2.38 or newer) that the database's wheel needs; on an older one it
# would have to be compiled.
FROM python:3.12-slim-trixie AS build
ENV UV_PYTHON=/usr/local/bin/python3.12 \
    UV_PYTHON_DOWNLOADS=never \
    UV_LINK_MODE=copy \
    UV_COMPILE_BYTECODE=1
RUN pip install --no-cache-dir uv==0.13.7
WORKDIR /app
COPY pyproject.toml README.md LICENSE ./
COPY models models
COPY src src
RUN uv sync --no-cache --no-dev --no-editable

FROM python:3.12-slim-trixie
RUN useradd --system --uid 10001 --user-group --no-create-home zapomni \
    && install --directory --owner=zapomni --group=zapomni --mode=0700 /data
COPY --from=build /app/.venv /app/.venv
ENV PATH=/app/.venv/bin:$PATH \
    ZAPOMNI_DATA_DIR=/data \
    ZAPOMNI_SSE_HOST=0.0.0.0 \
    ZAPOMNI_SSE_PORT=8000
USER 10001:10001
VOLUME ["/data"]
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f\"http://127.0.0.1:{os.environ['ZAPOMNI_SSE_PORT']}/health\", timeout=8)"]
# Listening on every address, it does not start without ZAPOMNI_AUTH_TOKEN.
ENTRYPOINT ["zapomni-mcp"]
