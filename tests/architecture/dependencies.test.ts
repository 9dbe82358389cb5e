import { describe, expect, it } from "vitest";
import { check, repository, sources } from "./repository";

type Locked = { version?: string; resolved?: string; integrity?: string; link?: boolean; inBundle?: boolean };

/** Entries of the registry whose content is not pinned by a hash. */
const unpinned = (packages: Record<string, Locked>): string[] =>
  Object.entries(packages)
    .filter(([path, { link, inBundle }]) => path !== "" && !link && !inBundle)
    .filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==/.test(integrity ?? ""))
    .map(
      ([path, { version }]) => `${path}@${version} has no integrity value: node scripts/complete-lock.mjs`,
    );

describe("dependencies", () => {
  check("every entry of the lockfile has an integrity value", (repo) =>
    unpinned(JSON.parse(repo.read("package-lock.json")).packages),
  );

  it("are checked for missing and weak hashes", () => {
    const integrity = `sha512-${"a".repeat(86)}==`;
    expect(unpinned({ "": {}, "node_modules/a": { version: "1.0.0", integrity } })).toEqual([]);
    expect(unpinned({ "node_modules/a": { version: "1.0.0" } })).toHaveLength(1);
    expect(unpinned({ "node_modules/a": { version: "1.0.0", integrity: "sha1-abc=" } })).toHaveLength(1);
  });

  check("every dependency of package.json has an exact version", (repo) => {
    const { dependencies, devDependencies } = JSON.parse(repo.read("package.json"));
    return Object.entries<string>({ ...dependencies, ...devDependencies })
      .filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
      .map(([name, version]) => `package.json: ${name} is ${version}`);
  });

  it("the install script of @scarf/scarf, which reports installations, is off", () => {
    expect(JSON.parse(repository.read("package.json")).scarfSettings).toEqual({ enabled: false });
  });

  check("only lib/platform/auth/next-auth imports next-auth", (repo) =>
    sources(repo)
      .filter((path) => !path.startsWith("lib/platform/auth/next-auth/"))
      .filter((path) => /from "next-auth|import\("next-auth/.test(repo.read(path)))
      .map((path) => `${path} imports next-auth (docs/decisions/0036-keep-next-auth-behind-one-module.md)`),
  );
});
