import { describe } from "vitest";
import { check, isTest, type Repository } from "./repository";

/** Patterns of secrets. Patterns marked "made up" are allowed in tests. */
const SECRETS: [form: RegExp, what: string, inTests?: "made up"][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, "a private key"],
  [/\b[sr]k_live_[0-9A-Za-z]{8,}/, "a Stripe live key"],
  [/\bwhsec_[0-9A-Za-z+/=]{24,}/, "a webhook secret", "made up"],
  [/\bre_[0-9A-Za-z]{8,}_[0-9A-Za-z]{16,}/, "a Resend key"],
  [/\b(ghp|gho|ghs)_[0-9A-Za-z]{30,}|\bgithub_pat_[0-9A-Za-z_]{30,}/, "a GitHub token"],
  [/\bAKIA[0-9A-Z]{16}\b/, "an AWS key"],
  [/\bGOCSPX-[0-9A-Za-z_-]{20,}/, "a Google client secret"],
];
const BINARY_FILES = /\.(avif|png|webp|jpg|ico|woff2)$/;

const findSecrets = (repo: Repository) =>
  repo.files
    .filter((path) => !BINARY_FILES.test(path))
    .flatMap((path) => {
      const lines = repo.read(path).split("\n");
      return SECRETS.flatMap(([pattern, description, inTests]) => {
        if (inTests && isTest(path)) return [];
        const line = lines.findIndex((text) => pattern.test(text));
        return line < 0 ? [] : [`${path}:${line + 1}: looks like ${description}`];
      });
    });

const environmentFiles = (repo: Repository) =>
  repo.files
    .filter((path) => /(^|\/)\.env/.test(path) && path !== ".env.example")
    .map((path) => `${path}: only .env.example belongs in the repository`);

describe("secrets", () => {
  check("no file contains a secret", findSecrets);
  check("no environment file is committed", environmentFiles);
});
