import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { renderMail } from "@/emails/render";
import { mailSamples } from "@/emails/samples";
import { LOCALES } from "@/lib/i18n";

// `npm run mails:preview`: every mail in every language, with invented data, as html and txt.
const folder = fileURLToPath(new URL("../.data/mail-preview", import.meta.url));
const shop = { brand: "Passlane", url: "http://localhost:3000" };
mkdirSync(folder, { recursive: true });
for (const locale of LOCALES) {
  for (const { name, event, props } of mailSamples(locale)) {
    const { subject, html, text } = await renderMail(event, props, locale, shop);
    const file = path.join(folder, `${name}.${locale}`);
    writeFileSync(`${file}.html`, html);
    writeFileSync(`${file}.txt`, `Subject: ${subject}\n\n${text}`);
    console.log(`${path.basename(file)}: ${subject}`);
  }
}
console.log(`\nWritten to ${folder}`);
