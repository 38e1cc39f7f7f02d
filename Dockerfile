# CPU only. Build the wheel first: make dist
#   docker build -t alphadiamond .
#   docker run --rm -it alphadiamond evaluate exam=true players=neural:simulations=0
FROM python:3.11-slim

RUN useradd --create-home --uid 1000 player
COPY constraints.txt dist/*.whl /tmp/
# torch's plain Linux wheel brings CUDA; the index of CPU builds is the caller's to name.
ARG TORCH_INDEX=
RUN pip install --no-cache-dir ${TORCH_INDEX:+--extra-index-url "$TORCH_INDEX"} \
      --constraint /tmp/constraints.txt /tmp/*.whl && rm /tmp/*.whl /tmp/constraints.txt

USER 1000
WORKDIR /home/player
ENTRYPOINT ["alphadiamond"]
CMD ["--help"]
