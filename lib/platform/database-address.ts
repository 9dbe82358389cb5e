import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";

/** A parsed address of Postgres, for both drivers (db/connect.ts). What is undefined comes from the PG… variables. */
export type DatabaseAddress = {
  /** A name that begins with a slash is the folder of a Unix socket. */
  host: string;
  port: number;
  user: string | undefined;
  password: string | undefined;
  database: string | undefined;
  tls: false | ConnectionOptions;
};

const FORM = "postgres://USER:PASSWORD@HOST:PORT/DATABASE";
const DEFAULT_PORT = 5432;
const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"];
/**
 * Parameters that the drivers, the pools, Postgres' own defaults or the probe (db/monitor.ts) decide. They are accepted and have no
 * effect.
 */
const WITHOUT_EFFECT = [
  ...["application_name", "connect_timeout", "channel_binding", "gssencmode", "target_session_attrs"],
];
const PARAMETERS = [...["host", "port", "sslmode", "sslrootcert", "sslcert", "sslkey"], ...WITHOUT_EFFECT];

/**
 * Parses the address of a database: `postgres://user:password@db:5432/name?sslmode=verify-full&sslrootcert=/ca.pem`. Reads the
 * certificate files that it names.
 * @throws Error with what is wrong, as the rest of a sentence that begins with the variable's name; without the address, which
 * holds a password
 */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  const parts =
    /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?#]*)(?::(?<password>[^/?#]*))?@)?(?<host>[^/?#@]*)(?:\/(?<database>[^?#/]*))?(?:\?(?<query>[^#]*))?$/.exec(
      text,
    )?.groups;
  if (!parts)
    throw new Error(
      `is no address of a database: write ${FORM}, with / ? # @ in a password as %2F %3F %23 %40`,
    );
  const query = parseQuery(parts.query ?? "");
  return {
    ...parseHost(query.get("host") ?? parts.host ?? "", query.get("port")),
    user: decode(parts.user, "user"),
    password: decode(parts.password, "password"),
    database: decode(parts.database, "name of the database"),
    tls: parseTls(query),
  };
}

function decode(text: string | undefined, what: string): string | undefined {
  if (!text) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`has a % in its ${what} that encodes nothing: write %25`);
  }
}

function parseQuery(text: string): Map<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (!PARAMETERS.includes(name))
      throw new Error(`has the parameter ${name}, which is not one of ${PARAMETERS.join(", ")}`);
    if (query.has(name)) throw new Error(`has the parameter ${name} twice`);
    if (value !== "") query.set(name, value);
  }
  return query;
}

function parseHost(text: string, givenPort: string | undefined): Pick<DatabaseAddress, "host" | "port"> {
  if (text === "") throw new Error(`names no host: write ${FORM}`);
  if (text.includes(","))
    throw new Error(
      "names several hosts: write one that leads to the primary, as of HAProxy (docs/operations.md#high-availability)",
    );
  const item = decode(text, "host") ?? "";
  if (item.startsWith("/")) return { host: item, port: parsePort(givenPort, item) };
  const { six, name, port } =
    /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<name>[\w.-]+))(?::(?<port>\d*))?$/i.exec(item)?.groups ?? {};
  const host = six ?? name;
  if (!host) throw new Error(`has a host that is none: ${JSON.stringify(item)}`);
  return { host, port: parsePort(port || givenPort, host) };
}

function parsePort(text: string | undefined, host: string): number {
  if (!text) return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`has the port ${text} for ${host}: a port is 1 to 65535`);
  return port;
}

/**
 * `require` encrypts without a check of the server, as in libpq; with a CA it is `verify-ca`. `verify-full` without a CA trusts
 * those of Node.
 */
function parseTls(query: Map<string, string>): false | ConnectionOptions {
  const [root, cert, key] = ["sslrootcert", "sslcert", "sslkey"].map((name) => query.get(name));
  const mode = query.get("sslmode") ?? (root ? "verify-full" : "disable");
  if (!SSL_MODES.includes(mode))
    throw new Error(`has sslmode=${mode}, which is not one of ${SSL_MODES.join(", ")}`);
  if (mode === "disable") {
    const unused = ["sslrootcert", "sslcert", "sslkey"].find((name) => query.has(name));
    if (unused) throw new Error(`has ${unused} without sslmode=verify-full`);
    return false;
  }
  if (mode === "verify-ca" && !root)
    throw new Error("has sslmode=verify-ca without sslrootcert, the file of the CA");
  if (Boolean(cert) !== Boolean(key))
    throw new Error("has one of sslcert and sslkey: a certificate needs both");
  const ca = root && root !== "system" ? readPem(root, "sslrootcert") : undefined;
  return {
    ...(ca && { ca }),
    ...(cert && key && { cert: readPem(cert, "sslcert"), key: readPem(key, "sslkey") }),
    rejectUnauthorized: mode !== "require" || ca !== undefined,
    // The name of the server is checked by verify-full only.
    ...(mode !== "verify-full" && { checkServerIdentity: () => undefined }),
  };
}

function readPem(file: string, parameter: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "unknown error";
    throw new Error(`names a file as ${parameter} that cannot be read (${code}): ${file}`);
  }
  if (!text.includes("-----BEGIN ")) throw new Error(`names a file as ${parameter} that is not PEM: ${file}`);
  return text;
}
