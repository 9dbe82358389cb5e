import { describe } from "vitest";
import { parse } from "yaml";
import { SECRETS, SHUTDOWN_NOTICE, VARIABLE_NAMES } from "@/lib/platform/env";
import { check, type Repository } from "./repository";

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

/** RELEASE_ID and PREVIOUS are arguments of the image's build, NAME_FILE stands for any of the secrets' files. */
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

/** The addresses for health checks, and a part of the route that answers each. */
const HEALTH = {
  "/healthz": { route: "app/healthz/route.ts", part: "GET" },
  "/readyz": { route: "app/readyz/route.ts", part: "GET" },
  "/readyz?stale=ok": { route: "app/readyz/route.ts", part: 'get("stale") === "ok"' },
};

type Values = { server: { readinessPath: string }; variables: Record<string, string> };
type Compose = {
  services: Record<
    string,
    {
      image: string;
      command?: string[];
      ports?: string[];
      environment?: Record<string, string>;
      healthcheck?: { disable?: boolean };
    }
  >;
};

/** `where` asks for an address that the server answers, at its port. */
function healthProblems(where: string, path: string | undefined, port: string | undefined, own: string) {
  return [
    ...(path !== undefined && path in HEALTH ? [] : [`${where} asks for ${path}, which no route answers`]),
    ...(port === own ? [] : [`${where} asks at port ${port}, but the server has ${own}`]),
  ];
}

/** The probes of the chart, by name, and the ports of its containers. */
function chartProblems(repo: Repository): string[] {
  const values = parse(repo.read("deploy/helm/values.yaml")) as Values;
  const [server, worker] = ["server", "worker"].map((name) =>
    repo.read(`deploy/helm/templates/${name}.yaml`),
  );
  const ports = (text = "") =>
    Object.fromEntries(
      [...text.matchAll(/\{ name: (\w+), containerPort: (\d+) \}/g)].map((found) => found.slice(1)),
    ) as Record<string, string>;
  const own = /\{ name: PORT, value: "(\d+)" \}/.exec(server!)?.[1] ?? "none";
  const probes = Object.fromEntries(
    [...server!.matchAll(/(\w+)Probe: \{ httpGet: \{ path: (.+?), port: (\w+) \}/g)].map(
      ([, name, path, port]) => [
        name,
        {
          path: path === "{{ .Values.server.readinessPath | quote }}" ? values.server.readinessPath : path,
          port,
        },
      ],
    ),
  );
  return [
    ...["startup", "liveness", "readiness"].flatMap((name) =>
      healthProblems(`the ${name} probe`, probes[name]?.path, ports(server)[probes[name]?.port ?? ""], own),
    ),
    ...(probes.liveness?.path === "/healthz" ? [] : ["the liveness probe asks for more than the process"]),
    ...[server, worker]
      .filter((text) => ports(text).metrics !== values.variables.METRICS_PORT)
      .map(
        () => `a container's port of metrics is not ${values.variables.METRICS_PORT}, as values.yaml says`,
      ),
  ];
}

/** The front alone is reached from outside. Of the containers from the image, the one that serves keeps the image's check, and the others switch it off. */
function composeProblems(repo: Repository, own: string): string[] {
  const { services } = parse(repo.read("deploy/compose.yaml"), { merge: true }) as Compose;
  const ours = Object.entries(services).filter(([, { image }]) => image === "passlane");
  const { ports: published = [], environment } = services.front ?? {};
  const front = [
    ...(published.some((port) => port.endsWith(":80")) ? [] : ["the service front publishes no port"]),
    ...(environment?.SHOP === `app:${own}` ? [] : [`the service front does not lead to app:${own}`]),
  ];
  const shop = ours.flatMap(([name, { command, ports, healthcheck }]) =>
    command
      ? healthcheck?.disable
        ? []
        : [`the service ${name} serves no pages, but is asked for its health`]
      : [
          ...(healthcheck ? [`the service ${name} replaces the image's check`] : []),
          ...(ports ? [`the service ${name} is reached beside the front`] : []),
        ],
  );
  return [...front, ...shop];
}

describe("configuration", () => {
  check(".env.example names exactly the variables of lib/platform/env.ts, each with a comment", (repo) =>
    exampleProblems(repo.read(".env.example"), VARIABLE_NAMES),
  );

  // references.test.ts checks that the named section exists.
  check("each alert has a severity, a summary and a section of docs/operations.md", (repo) => {
    const { groups } = parse(repo.read("deploy/monitoring/alerts.yaml")) as Alerts;
    const rules = groups.flatMap(({ rules }) => rules);
    if (rules.length === 0) return ["deploy/monitoring/alerts.yaml has no rule"];
    return rules.flatMap(({ alert, labels, annotations }) => [
      ...(["page", "ticket"].includes(labels.severity) ? [] : [`${alert}: severity is page or ticket`]),
      ...(annotations.summary ? [] : [`${alert} has no summary`]),
      ...(/^docs\/operations\.md#\S+$/.test(annotations.runbook) ? [] : [`${alert} has no runbook`]),
    ]);
  });

  check("whatever ends a server or worker in deploy waits for the notice and ten seconds more", (repo) =>
    ENDS.flatMap(({ file, seconds }) => {
      const found = Number(seconds.exec(repo.read(file))?.[1]);
      return found > SHUTDOWN_NOTICE.production + DRAIN_SECONDS
        ? []
        : [`${file} ends a process after ${found} s, but the notice is ${SHUTDOWN_NOTICE.production} s`];
    }),
  );

  check("health checks in deploy ask for what the server answers, at its port", (repo) => {
    const own = /^# ?PORT=(\d+)$|^PORT=(\d+)$/m.exec(repo.read(".env.example"))?.slice(1).join("") ?? "none";
    const image = repo.read("deploy/Dockerfile");
    const [, port, path] =
      /^HEALTHCHECK .*\n.*fetch\(`http:\/\/127\.0\.0\.1:\$\{process\.env\.PORT \|\| (\d+)\}([^`]*)`\)/m.exec(
        image,
      ) ?? [];
    return [
      ...Object.values(HEALTH)
        .filter(({ route, part }) => !repo.read(route).includes(part))
        .map(({ route, part }) => `${route} lacks ${part}`),
      ...healthProblems("the image", path, port, own),
      ...(image.includes(`\nEXPOSE ${own}\n`) ? [] : [`the image does not expose ${own}`]),
      ...composeProblems(repo, own),
      ...chartProblems(repo),
    ];
  });

  check("the chart writes the journal and the heads of the audit chain to its claim", (repo) => {
    const shop = repo.read("deploy/helm/templates/_shop.tpl");
    const parts = [
      "{ name: ASSIGNMENT_JOURNAL_DIR, value: /journal }",
      "{ name: AUDIT_HEADS_FILE, value: /journal/audit-heads.jsonl }",
      "{ name: journal, mountPath: /journal }",
    ];
    return parts.filter((part) => !shop.includes(part)).map((part) => `_shop.tpl lacks ${part}`);
  });

  check("the files of deploy set only variables that exist", (repo) =>
    repo.files
      .filter((file) => /^deploy\/(?:compose\.yaml|Dockerfile|systemd\/.+|helm\/.+)$/.test(file))
      .flatMap((file) => {
        const text = repo.read(file);
        const names = [
          ...(text.match(/\b(?!POSTGRES_|AF_|NODE_OPTIONS|NGINX_)[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g) ?? []),
          ...[...text.matchAll(/\{ name: ([A-Z][A-Z0-9]*),/g)].map(([, name]) => name!),
        ];
        // The variables of nginx' own image.
        const ofFront = repo.read("deploy/nginx/container/settings.conf.template");
        return names
          .filter((name) => !known.has(name) && !ofFront.includes(`\${${name}}`))
          .map((name) => `${file} sets ${name}, which lib/platform/env.ts does not read`);
      }),
  );
});
