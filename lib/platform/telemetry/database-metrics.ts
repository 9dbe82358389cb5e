export type Sample = { name: string; labels?: Record<string, string>; value: number };

type AnyRow = Record<string, unknown>;

/** Gauges that come from one statement, which reads a bounded number of rows by an index (db/metrics.ts). */
export type DatabaseMetrics<Row = AnyRow> = {
  sql: string;
  /** How long a result is used. */
  seconds: number;
  gauges: Record<string, { help: string; labels?: string[] }>;
  toSamples(rows: Row[]): Sample[];
};

/** Checks `toSamples` against the statement's row type, which the list of all metrics no longer knows. */
export const defineMetrics = <Row>(metrics: DatabaseMetrics<Row>) => metrics as DatabaseMetrics;

/** What reads them. In all processes but one it has no samples. */
export type MetricsReader = {
  readonly isReader: boolean;
  /** Reads that failed since the start. */
  readonly failures: number;
  /** Reads what is older than its time. Never rejects. */
  refresh(): Promise<void>;
  samples(): Sample[];
  stop(): Promise<void>;
};
