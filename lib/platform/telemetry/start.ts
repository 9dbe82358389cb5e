import { env } from "@/lib/platform/env";

/**
 * Starts traces and logs by OpenTelemetry if a standard variable names a collector (docs/operations.md#traces-and-error-reports).
 * Without one, nothing of it is loaded.
 */
export async function startTelemetry(process: "server" | "worker"): Promise<void> {
  const {
    OTEL_SDK_DISABLED: disabled,
    OTEL_EXPORTER_OTLP_ENDPOINT: both,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesTo = both,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: logsTo = both,
    OTEL_TRACES_EXPORTER: tracesBy,
    OTEL_LOGS_EXPORTER: logsBy,
  } = env();
  const traces = tracesTo !== undefined && tracesBy !== "none";
  const logs = logsTo !== undefined && logsBy !== "none";
  if (disabled || !(traces || logs)) return;
  const { startOpenTelemetry } = await import("./open-telemetry");
  startOpenTelemetry({ process, traces, logs });
}
