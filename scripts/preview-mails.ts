import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { renderMail } from "@/emails/render";
import { mailSamples } from "@/emails/samples";
import { BULK_MAILS } from "@/lib/notifications/rules";
import { LOCALES } from "@/lib/platform/i18n/locales";

const repositoryRoot = fileURLToPath(new URL("..", import.meta.url));
const shop = { brand: "Passlane", url: "http://localhost:3000" };

/** The folder of the previews, in the shop's data folder. */
export const previewFolder = (dataDir = process.env.DATA_DIR) =>
  path.resolve(repositoryRoot, dataDir || ".data", "mail-preview");

/** Writes every email in every language with invented data as HTML and text. Returns "file: subject" of each. */
export async function previewMails(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const written: string[] = [];
  for (const locale of LOCALES) {
    for (const { name, event, props } of mailSamples(locale)) {
      const bulk = BULK_MAILS[event] && { unsubscribePath: "/unsubscribe?token=sample" };
      const { subject, html, text } = await renderMail(event, props, locale, shop, { bulk });
      const file = path.join(folder, `${name}.${locale}`);
      writeFileSync(`${file}.html`, html);
      writeFileSync(`${file}.txt`, `Subject: ${subject}\n\n${text}`);
      written.push(`${path.basename(file)}: ${subject}`);
    }
  }
  return written;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = previewFolder();
  for (const line of await previewMails(folder)) console.log(line);
  console.log(`\nWritten to ${folder}`);
}
