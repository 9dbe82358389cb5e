import { describe } from "vitest";
import { parse } from "yaml";
import { SECRETS, SHUTDOWN_NOTICE, VARIABLE_NAMES } from "@/lib/platform/env";
import { check } from "./repository";

/** In `.env.example`, a comment precedes each variable, which is set or commented out. */
function exampleProblems(example: string, variables: string[]): string[] {
  const lines = example.split("\n").filter((line) => line.trim() !== "");
  const named = lines.flatMap((line, i) => {
    const name = /^#? ?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1];
    return name
      ? [
          {
            name,
            explained: /^# \S/.test(lines[i - 1] ?? "") && !/^#? ?[A-Z0-9_]+=/.test(lines[i - 1] ?? ""),
          },
        ]
      : [];
  });
  const names = named.map(({ name }) => name);
  return [
    ...variables
      .filter((name) => !names.includes(name))
      .map((name) => `.env.example lacks ${name} of lib/platform/env.ts`),
    ...names
      .filter((name) => !variables.includes(name))
      .map((name) => `.env.example names ${name}, which lib/platform/env.ts does not read`),
    ...SECRETS.filter((name) => !example.includes(`${name}_FILE`)).map(
      (name) => `.env.example lacks ${name}_FILE`,
    ),
    ...names.filter((name, i) => names.indexOf(name) !== i).map((name) => `.env.example names ${name} twice`),
    ...named
      .filter(({ explained }) => !explained)
      .map(({ name }) => `.env.example has no comment for ${name}`),
  ];
}

type Rule = {
  alert: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
};
type Alerts = { groups: { rules: Rule[] }[] };

/** RELEASE_ID is an argument of the image's build, NAME_FILE stands for any of the secrets' files. */
const known = new Set([
  ...VARIABLE_NAMES,
  ...SECRETS.map((name) => `${name}_FILE`),
  ...["RELEASE_ID", "NAME_FILE"],
]);

const DRAIN_SECONDS = 10;
const ENDS = [
  { file: "deploy/compose.yaml", seconds: /\n {2}app:\n(?: {4}.*\n)* {4}stop_grace_period: (\d+)s/ },
  { file: "deploy/compose.yaml", seconds: /\n {2}worker:\n(?: {4}.*\n)* {4}stop_grace_period: (\d+)s/ },
  { file: "deploy/systemd/passlane@.service", seconds: /^TimeoutStopSec=(\d+)$/m },
  { file: "deploy/systemd/passlane-worker.service", seconds: /^TimeoutStopSec=(\d+)$/m },
  { file: "deploy/helm/templates/server.yaml", seconds: /terminationGracePeriodSeconds: (\d+)/ },
  { file: "deploy/helm/templates/worker.yaml", seconds: /terminationGracePeriodSeconds: (\d+)/ },
];

describe("configuration", () => {
  check(".env.example names exactly the variables of lib/platform/env.ts, each with a comment", (tree) =>
    exampleProblems(tree.read(".env.example"), VARIABLE_NAMES),
  );

  // references.test.ts checks that the named section exists.
  check("each alert has a severity, a summary and a section of docs/operations.md", (tree) => {
    const { groups } = parse(tree.read("deploy/monitoring/alerts.yaml")) as Alerts;
    const rules = groups.flatMap(({ rules }) => rules);
    if (rules.length === 0) return ["deploy/monitoring/alerts.yaml has no rule"];
    return rules.flatMap(({ alert, labels, annotations }) => [
      ...(["page", "ticket"].includes(labels.severity) ? [] : [`${alert}: severity is page or ticket`]),
      ...(annotations.summary ? [] : [`${alert} has no summary`]),
      ...(/^docs\/operations\.md#\S+$/.test(annotations.runbook) ? [] : [`${alert} has no runbook`]),
    ]);
  });

  check("whatever ends a server or worker in deploy waits for the notice and ten seconds more", (tree) =>
    ENDS.flatMap(({ file, seconds }) => {
      const found = Number(seconds.exec(tree.read(file))?.[1]);
      return found > SHUTDOWN_NOTICE.production + DRAIN_SECONDS
        ? []
        : [`${file} ends a process after ${found} s, but the notice is ${SHUTDOWN_NOTICE.production} s`];
    }),
  );

  // The machines of these tests have no helm, which would render it.
  check("the chart refuses several replicas without shared static files", (tree) => {
    const [guard = ""] = tree.read("deploy/helm/templates/server.yaml").split("apiVersion");
    const conditions = [
      "gt (int .Values.server.replicas) 1",
      "not .Values.staticFiles.existingClaim",
      "not .Values.variables.STATIC_BUCKET",
      "- fail ",
    ];
    return conditions.filter((part) => !guard.includes(part)).map((part) => `server.yaml lacks ${part}`);
  });

  check("the files of deploy set only variables that exist", (tree) =>
    tree.files
      .filter((file) => /^deploy\/(?:compose\.yaml|Dockerfile|systemd\/.+|helm\/values\.yaml)$/.test(file))
      .flatMap((file) => {
        const names = tree.read(file).match(/\b(?!POSTGRES_|AF_|NODE_OPTIONS)[A-Z]+_[A-Z_]+\b/g) ?? [];
        return names
          .filter((name) => !known.has(name))
          .map((name) => `${file} sets ${name}, which lib/platform/env.ts does not read`);
      }),
  );
});
