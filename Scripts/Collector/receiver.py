"""A collector for one run: Python's http.server, and OpenTelemetry's own classes to read what arrives."""

import http.server
import threading

from google.protobuf.unknown_fields import UnknownFieldSet
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

KINDS = {
    "/v1/traces": ExportTraceServiceRequest, "/v1/logs": ExportLogsServiceRequest,
    "/v1/metrics": ExportMetricsServiceRequest,
}
# Where it listens beside its origin, and what each request has to have: as at a collector behind a gateway.
PATH, FIELD, KEY = "/otlp", "X-Collector-Key", "key-of-the-collector"


class Collector:
    """Listens at a port of its own; keeps the bytes and what they say."""

    def __init__(self):
        self.lock, self.bodies, self.messages, self.wrong = threading.Lock(), [], [], []
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(collector.take(self.path, self.headers, body))
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}{PATH}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, path, headers, body):
        path = path.removeprefix(PATH) if path.startswith(PATH) else None
        kind = KINDS.get(path)
        with self.lock:
            self.bodies.append(str(headers).encode() + body)
            try:
                if headers[FIELD] != KEY:
                    raise ValueError(f"{path} without the collector's key")
                if kind is None or headers["Content-Type"] != "application/x-protobuf":
                    raise ValueError(f"{path} with {headers['Content-Type']}")
                message = kind.FromString(body)
                # What no field of the message takes would be a wrong number.
                if kind.FromString(message.SerializeToString()) != message or unknown(message):
                    raise ValueError(f"{path}: fields that the message does not have")
                self.messages.append((path, message))
                return 200
            except Exception as error:  # whatever the classes throw is what is wrong
                self.wrong.append(str(error))
                return 400

    def spans(self):
        with self.lock:
            return [
                span for path, message in self.messages if path == "/v1/traces"
                for batch in message.resource_spans for scope in batch.scope_spans for span in scope.spans]

    def records(self):
        with self.lock:
            return [
                record for path, message in self.messages if path == "/v1/logs"
                for batch in message.resource_logs for scope in batch.scope_logs for record in scope.log_records]

    def histograms(self):
        """The newest point of each histogram's series of each process."""
        return self.points("histogram", lambda point: point)

    def sums(self):
        """The newest value of each series of each counter of each process."""
        return self.points("sum", lambda point: point.as_int)

    def points(self, kind, value):
        """What a kind of metric has: the start of its points names a process."""
        found = {}
        with self.lock:
            for path, message in self.messages:
                if path != "/v1/metrics":
                    continue
                for batch in message.resource_metrics:
                    for scope in batch.scope_metrics:
                        for metric in scope.metrics:
                            if metric.WhichOneof("data") != kind:
                                continue
                            data = getattr(metric, kind)
                            assert data.aggregation_temporality == 2, metric
                            assert kind != "sum" or data.is_monotonic, metric
                            for point in data.data_points:
                                series = (metric.name, point.start_time_unix_nano, tuple(sorted(attributes(point).items())))
                                found[series] = value(point)
        return found


def unknown(message):
    """Whether a message or one within it has fields that its class does not know."""
    if len(UnknownFieldSet(message)):
        return True
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        for inner in value if field.is_repeated else [value]:
            if unknown(inner):
                return True
    return False


def attributes(thing):
    """The attributes of a span, a record or a point, by name."""
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in thing.attributes}

