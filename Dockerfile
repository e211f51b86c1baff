# A house in a container: one wheel, one user without rights, one volume for everything that must last.
# Images are named by digest, and packages by hash: 'docker buildx imagetools inspect python:3.13-slim' shows a newer one.
FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
WORKDIR /src
COPY requirements-build.lock ./
RUN pip install --no-cache-dir --require-hashes --no-deps --requirement requirements-build.lock
COPY pyproject.toml hatch_build.py README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE ./
COPY scripts/web.py scripts/docs.py scripts/docs_reference.py scripts/
COPY web web
COPY docs docs
COPY examples examples
COPY tests/records/examples tests/records/examples
COPY benchmarks/RESULTS.md benchmarks/RESULTS.md
COPY src src
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels .

FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
RUN useradd --system --create-home --uid 10001 letitride \
    && install --directory --owner letitride --mode 0700 /data /key
# What a server runs with, and nothing that only developers need.
COPY requirements-run.lock /tmp/requirements-run.lock
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --require-hashes --no-deps --requirement /tmp/requirements-run.lock \
    && pip install --no-cache-dir --no-index --no-deps /wheels/*.whl \
    && rm -rf /wheels /tmp/requirements-run.lock
USER letitride
# Only /data and /tmp are written, so that the rest can be read-only.
ENV LETITRIDE_DATA_DIR=/data \
    LETITRIDE_HOST=0.0.0.0 \
    LETITRIDE_PORT=8765 \
    LETITRIDE_BROWSER=false \
    MPLCONFIGDIR=/tmp/matplotlib \
    NUMBA_CACHE_DIR=/tmp/numba \
    PYTHONDONTWRITEBYTECODE=1
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8765/readyz', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["letitride"]
CMD ["serve"]
