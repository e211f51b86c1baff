# A house in a container: one wheel, one user without rights, one volume for everything that must last.
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml hatch_build.py README.md LICENSE requirements.lock ./
COPY scripts/web.py scripts/web.py
COPY web web
COPY src src
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
RUN useradd --system --create-home --uid 10001 letitride \
    && install --directory --owner letitride --mode 0700 /data
# The lock pins every version; what only developers need is left out by installing what the wheel asks for.
COPY requirements.lock /tmp/requirements.lock
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --constraint /tmp/requirements.lock /wheels/*.whl \
    && rm -rf /wheels /tmp/requirements.lock
USER letitride
ENV LETITRIDE_DATA_DIR=/data \
    LETITRIDE_HOST=0.0.0.0 \
    LETITRIDE_PORT=8765 \
    LETITRIDE_BROWSER=false \
    PYTHONDONTWRITEBYTECODE=1
VOLUME /data
EXPOSE 8765
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8765/readyz', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["letitride"]
CMD ["serve"]
