import { env } from "@/lib/platform/env";

/**
 * Starts traces and logs by OpenTelemetry if a standard variable names a collector (docs/operations.md#traces-and-error-reports).
 * Without one, nothing of it is loaded.
 */
export async function startTelemetry(process: "server" | "worker"): Promise<void> {
  const {
    OTEL_SDK_DISABLED: disabled,
    OTEL_EXPORTER_OTLP_ENDPOINT: both,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces = both,
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: logs = both,
  } = env();
  if (disabled || !(traces || logs)) return;
  const { startOpenTelemetry } = await import("./open-telemetry");
  startOpenTelemetry({ process, traces: traces !== undefined, logs: logs !== undefined });
}
