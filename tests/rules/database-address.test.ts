import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parseDatabaseAddress } from "@/lib/platform/database-address";

const folder = mkdtempSync(join(tmpdir(), "database-address-"));
afterAll(() => rmSync(folder, { recursive: true }));
const CA = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
const ca = join(folder, "ca.pem");
writeFileSync(ca, CA);
const noPem = join(folder, "no.pem");
writeFileSync(noPem, "nothing");

describe("parseDatabaseAddress", () => {
  it("reads one host, with the default port and an encoded password", () => {
    expect(parseDatabaseAddress("postgres://shop:a%2Fb@db.example/passlane")).toEqual({
      host: "db.example",
      port: 5432,
      user: "shop",
      password: "a/b",
      database: "passlane",
      tls: false,
    });
    expect(parseDatabaseAddress("postgresql://shop:a:b@c@db/x")).toMatchObject({ password: "a:b@c" });
  });

  it("reads ports, IPv6 and Unix sockets", () => {
    const target = (text: string) => {
      const { host, port } = parseDatabaseAddress(text);
      return { host, port };
    };
    expect(target("postgres://shop:x@one:6432/passlane")).toEqual({ host: "one", port: 6432 });
    expect(target("postgres://shop:x@[::1]:5433/passlane")).toEqual({ host: "::1", port: 5433 });
    expect(target("postgres:///passlane?host=/run/postgresql&port=5433")).toEqual({
      host: "/run/postgresql",
      port: 5433,
    });
  });

  it("accepts the session type that a provider's address may name, without effect", () => {
    const address = "postgres://shop:x@db/x";
    expect(parseDatabaseAddress(`${address}?target_session_attrs=read-write`)).toEqual(
      parseDatabaseAddress(address),
    );
  });

  it("checks the server by sslmode: not at all, by its CA, or by its CA and name", () => {
    const tls = (query: string) => parseDatabaseAddress(`postgres://u@db/x?${query}`).tls;
    expect(tls("sslmode=require")).toMatchObject({ rejectUnauthorized: false });
    expect(tls(`sslmode=require&sslrootcert=${ca}`)).toMatchObject({ rejectUnauthorized: true, ca: CA });
    expect(tls(`sslmode=verify-ca&sslrootcert=${ca}`)).toHaveProperty("checkServerIdentity");
    for (const query of [`sslmode=verify-full&sslrootcert=${ca}`, `sslrootcert=${ca}`])
      expect(tls(query)).toEqual({ ca: CA, rejectUnauthorized: true });
    expect(tls("sslmode=verify-full")).toEqual({ rejectUnauthorized: true });
  });

  it.each([
    ["mysql://u:s3cret@db/x", /^is no address of a database: write postgres:/],
    ["postgres://u:s3/cret@db/x", /^is no address of a database/],
    ["postgres://u:s3cret@/x", /^names no host/],
    ["postgres://u:s3cret%@db/x", /^has a % in its password that encodes nothing/],
    ["postgres://u:s3cret@db:99999/x", /^has the port 99999 for db: a port is 1 to 65535$/],
    ["postgres://u:s3cret@a_!b/x", /^has a host that is none: "a_!b"$/],
    ["postgres://u:s3cret@a,b:6432/x", /^names several hosts: write one that leads to the primary/],
    ["postgres://u:s3cret@/x?host=a,b&port=1,2", /^names several hosts/],
    [
      "postgres://u:s3cret@db/x?ssl_mode=require",
      /^has the parameter ssl_mode, which is not one of host, port/,
    ],
    ["postgres://u:s3cret@db/x?sslmode=prefer", /^has sslmode=prefer, which is not one of disable, require/],
    ["postgres://u:s3cret@db/x?sslmode=verify-ca", /^has sslmode=verify-ca without sslrootcert/],
    ["postgres://u:s3cret@db/x?sslmode=require&sslmode=disable", /^has the parameter sslmode twice$/],
    [
      "postgres://u:s3cret@db/x?sslrootcert=/missing.pem",
      /^names a file as sslrootcert that cannot be read \(ENOENT\)/,
    ],
    [`postgres://u:s3cret@db/x?sslrootcert=${noPem}`, /^names a file as sslrootcert that is not PEM/],
    [
      `postgres://u:s3cret@db/x?sslrootcert=${ca}&sslmode=disable`,
      /^has sslrootcert without sslmode=verify-full$/,
    ],
    [`postgres://u:s3cret@db/x?sslmode=require&sslcert=${ca}`, /^has one of sslcert and sslkey/],
  ])("reports the fault in one sentence, without the password: %s", (text, message) => {
    expect(() => parseDatabaseAddress(text)).toThrow(message);
    expect(() => parseDatabaseAddress(text)).not.toThrow(/s3/);
  });
});
