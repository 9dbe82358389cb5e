import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Creates a self-signed certificate for a name, valid for a day, as `key.pem` and `cert.pem` in the folder. */
export function createCertificate(folder: string, name: string): { key: Buffer; cert: Buffer } {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  const files = ["-keyout", key, "-out", cert];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...files, ...subject],
    {
      stdio: "ignore",
    },
  );
  return { key: readFileSync(key), cert: readFileSync(cert) };
}
