import { hostname } from "node:os";
import {
  context,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider, BatchSpanProcessor, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import { isShopError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { readReleaseId } from "@/lib/platform/release";
import { currentRequest } from "@/lib/platform/request-scope";
import { serializeError } from "@/lib/platform/serialize-error";
import { cleanSpan } from "./clean-span";
import { toLogRecord } from "./log-record";
import { type Observer, type Operation, telemetry } from "./telemetry";

type Options = { process: "server" | "worker"; traces: boolean; logs: boolean };

/** A collector that does not answer is logged this often at most. */
const FAILURE_LOG_MS = 60_000;

/**
 * Sends spans and log lines to the collector that the standard variables name, in batches and in the background: what the
 * collector does not take in time is dropped, and no request waits for it. Called once per process.
 */
export function startOpenTelemetry({ process: name, traces, logs }: Options): void {
  reportFailures();
  const resource = describeProcess(name);
  if (traces) startTraces(resource);
  if (logs) startLogs(resource);
  log.info({ traces, logs }, "telemetry started");
}

function describeProcess(name: Options["process"]): Resource {
  const release = findReleaseId();
  return defaultResource()
    .merge(
      resourceFromAttributes({
        "service.name": "passlane",
        ...(release && { "service.version": release }),
        "service.instance.id": `${hostname()}:${process.pid}`,
        "passlane.process": name,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
}

/** A worker that runs from the sources may have no build. */
function findReleaseId(): string | undefined {
  try {
    return readReleaseId();
  } catch {
    return undefined;
  }
}

function reportFailures(): void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const report = (message: string) => {
    if (performance.now() - reportedAt < FAILURE_LOG_MS) return;
    reportedAt = performance.now();
    log.warn({ source: "telemetry" }, message.slice(0, 300));
  };
  const ignore = () => {};
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

/** Marks spans with their request's id. Removes what may be secret, also from Next's, before they are kept for the collector. */
class CleaningProcessor extends BatchSpanProcessor {
  override onStart(span: Span): void {
    const id = currentRequest()?.id;
    if (id) span.setAttribute("passlane.request_id", id);
  }

  override onEnd(span: ReadableSpan): void {
    super.onEnd(cleanSpan(span));
  }
}

function startTraces(resource: Resource): void {
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new CleaningProcessor(new OTLPTraceExporter())],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  telemetry.observers.push(createObserver());
  telemetry.traceId = () => trace.getActiveSpan()?.spanContext().traceId;
  telemetry.stop.push(() => provider.shutdown());
}

const KINDS: Record<Operation["kind"], SpanKind> = {
  job: SpanKind.CONSUMER,
  provider: SpanKind.CLIENT,
  statement: SpanKind.CLIENT,
};

function createObserver(): Observer {
  const tracer = trace.getTracer("passlane");
  return (operation, run) => {
    const { kind, name } = operation;
    // What runs every second, outside of requests and jobs, would make a trace of each statement.
    if (kind === "statement" && !trace.getActiveSpan()) return run();
    const attributes = { "passlane.kind": kind, ...operation.attributes };
    // A job begins its own trace: what queued it ended long ago.
    const parent = kind === "job" ? ROOT_CONTEXT : context.active();
    return tracer.startActiveSpan(name, { kind: KINDS[kind], attributes }, parent, async (span) => {
      try {
        return await run();
      } catch (error) {
        recordError(span, error);
        throw error;
      } finally {
        span.end();
      }
    });
  };
}

/** A refusal by a rule of the shop is a response, not a failure. */
function recordError(span: Span, error: unknown): void {
  if (isShopError(error) && error.cause === undefined) {
    span.setAttribute("error.type", error.error);
    return;
  }
  const { type, message, code, stack } = serializeError(error);
  span.setAttribute("error.type", code ?? type);
  span.recordException({ name: type, message, stack: `${type}: ${message}\n${stack ?? ""}` });
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** Sends every log line, with its exception where it has one: the shop's error reports. */
function startLogs(resource: Resource): void {
  const provider = new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })],
  });
  const logger = provider.getLogger("passlane");
  telemetry.onLogLine = (line) => {
    const record = toLogRecord(line);
    if (record) logger.emit({ ...record, context: context.active() });
  };
  telemetry.stop.push(() => provider.shutdown());
}
