import PDFDocument from "pdfkit";
import type { Locale } from "@/lib/platform/i18n/locales";
import { type DocumentFont, loadDocumentFonts } from "@/lib/platform/images/share-fonts";
import {
  type Direction,
  directionOf,
  embeddingLevels,
  inVisualOrder,
  isRightToLeft,
  mirror,
} from "@/lib/platform/text-order";
import type { PdfBlock, PdfInfo, TableCell } from "./pdf";

const PAGE = { width: 595.28, height: 841.89, margin: 50 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
const INK = "#16141C";
const QUIET = "#5C5866";
const LINE = "#E6E1D6";
/** Of a font's size. */
const LINE_HEIGHT = 1.45;
/** Points; columns of figures in a table. */
const FIGURE_WIDTH = 85;

const textsOf = (block: PdfBlock): string[] => {
  if (block.kind === "columns") return block.columns.flat();
  if (block.kind === "rows") return block.rows.flatMap(({ term, value }) => [term, value]);
  if (block.kind !== "table") return [block.text];
  return [...block.head, ...block.rows.flat().flatMap(({ text, detail = "" }) => [text, detail])];
};

/**
 * Writes blocks as an A4 document with embedded subsets of its fonts, so that names of all scripts that customers write
 * print everywhere. Returns the file. A letter or sign that no font contains (emoji) is written as an empty box.
 */
export async function writePdf(
  blocks: readonly PdfBlock[],
  { title, author, createdAt }: PdfInfo,
  locale: Locale,
): Promise<Buffer> {
  const fonts = await loadDocumentFonts(`${blocks.flatMap(textsOf).join("")}${BOX}… `, locale);
  const doc = new PDFDocument({
    size: "A4",
    margin: PAGE.margin,
    lang: locale,
    displayTitle: true,
    font: "", // no built-in font: its metrics are files that a bundle lacks
    info: { Title: title, Author: author, CreationDate: createdAt },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on("data", (chunk: Buffer) => chunks.push(chunk));
    doc.on("end", () => resolve(Buffer.concat(chunks)));
    doc.on("error", reject);
  });
  new Writer(doc, fonts).write(blocks);
  doc.end();
  return done;
}

type Style = { size: number; bold?: boolean; color?: string; align?: "left" | "right" };

/** A piece of a line in one font and direction. */
type Run = { font: DocumentFont; text: string; level: number };

/** Stands for what no font contains. */
const BOX = "□";
const segmenter = new Intl.Segmenter();
const graphemesOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

/**
 * Whether two signs can be handed to the font together: it turns letters from right to left by itself, and nothing else; and
 * the document sets words from left to right.
 */
function joins(text: string, next: string, level: number): boolean {
  const turned = isRightToLeft(next);
  return level % 2 === 1 ? turned && isRightToLeft(text) : !turned;
}

class Writer {
  private y = PAGE.margin;
  private readonly registered = new Set<string>();

  constructor(
    private readonly doc: PDFKit.PDFDocument,
    private readonly fonts: readonly DocumentFont[],
  ) {}

  write(blocks: readonly PdfBlock[]): void {
    for (const block of blocks) {
      if (block.kind === "title")
        this.y += this.paragraph(block.text, this.box(), { size: 26, bold: true }) + 14;
      if (block.kind === "heading") this.heading(block.text);
      if (block.kind === "columns") this.columns(block.columns);
      if (block.kind === "rows") this.rows(block.rows);
      if (block.kind === "table") this.table(block.head, block.rows);
      if (block.kind === "note") this.note(block.text);
    }
  }

  private box = () => ({ x: PAGE.margin, width: WIDTH });

  private note(text: string): void {
    const style = { size: 9, color: QUIET };
    this.breakPage(this.wrap(text, WIDTH, style).length * LINE_HEIGHT * style.size);
    this.y += this.paragraph(text, this.box(), style) + 6;
  }

  /** Never the last line of a page. */
  private heading(text: string): void {
    this.breakPage(80);
    // Nearer to what it heads than to what stands above it.
    if (this.y > PAGE.margin) this.y += 12;
    this.y += this.paragraph(text, this.box(), { size: 14, bold: true }) + 8;
  }

  private columns(columns: readonly (readonly string[])[]): void {
    const width = WIDTH / columns.length;
    const top = this.y;
    const bottoms = columns.map((lines, column) => {
      this.y = top;
      for (const [index, line] of lines.entries()) {
        const style = index === 0 ? { size: 9, color: QUIET } : { size: 10.5, bold: index === 1 };
        this.y += this.paragraph(line, { x: PAGE.margin + column * width, width: width - 16 }, style);
      }
      return this.y;
    });
    this.y = Math.max(...bottoms) + 18;
  }

  private rows(rows: readonly { term: string; value: string; bold?: boolean }[]): void {
    for (const { term, value, bold } of rows) {
      const width = WIDTH / 2;
      const style = { size: 10.5, bold };
      const lines = Math.max(this.wrap(term, width, style).length, this.wrap(value, width, style).length);
      this.breakPage(lines * LINE_HEIGHT * style.size + 8);
      const left = this.paragraph(
        term,
        { x: PAGE.margin, width },
        { size: 10.5, bold, color: bold ? INK : QUIET },
      );
      const right = this.paragraph(
        value,
        { x: PAGE.margin + width, width },
        { size: 10.5, bold, align: "right" },
      );
      this.y += Math.max(left, right) + 3;
      this.rule();
    }
    this.y += 18;
  }

  private table(head: readonly string[], rows: readonly (readonly TableCell[])[]): void {
    const cells = [head.map((text): TableCell => ({ text })), ...rows];
    const first = WIDTH - FIGURE_WIDTH * (head.length - 1);
    for (const [index, row] of cells.entries()) {
      this.breakPage(40);
      const heights = row.map(({ text, detail }, column) => {
        const box =
          column === 0
            ? { x: PAGE.margin, width: first }
            : { x: PAGE.margin + first + (column - 1) * FIGURE_WIDTH, width: FIGURE_WIDTH };
        const align = column === 0 ? "left" : "right";
        const style: Style = index === 0 ? { size: 9, color: QUIET, align } : { size: 10.5, align };
        const height = this.paragraph(text, box, style);
        if (!detail) return height;
        const top = this.y;
        this.y += height;
        const more = this.paragraph(detail, box, { size: 9, color: QUIET, align });
        this.y = top;
        return height + more;
      });
      this.y += Math.max(...heights) + 4;
      this.rule();
    }
    this.y += 12;
  }

  private rule(): void {
    this.doc
      .moveTo(PAGE.margin, this.y)
      .lineTo(PAGE.width - PAGE.margin, this.y)
      .lineWidth(0.5)
      .stroke(LINE);
    this.y += 5;
  }

  private breakPage(height: number): void {
    if (this.y + height <= PAGE.height - PAGE.margin) return;
    this.doc.addPage();
    this.y = PAGE.margin;
  }

  /** Writes a text at the current height, wrapped to a width, and returns its height. */
  private paragraph(text: string, { x, width }: { x: number; width: number }, style: Style): number {
    const height = style.size * LINE_HEIGHT;
    const lines = this.wrap(text, width, style);
    const direction = directionOf(text);
    for (const [index, line] of lines.entries()) {
      const runs = inVisualOrder(this.split(line, direction));
      const lineWidth = runs.reduce((sum, run) => sum + this.measure(run, style), 0);
      let left = style.align === "right" ? x + width - lineWidth : x;
      for (const run of runs) {
        this.use(run, style)
          .fillColor(style.color ?? INK)
          // The baseline is the same for all fonts of a line; their tops differ.
          .text(run.text, left, this.y + index * height + style.size, {
            lineBreak: false,
            baseline: "alphabetic",
          });
        left += this.measure(run, style);
      }
    }
    return lines.length * height;
  }

  /** Breaks at spaces, and anywhere between Chinese and Japanese characters; a longer word is broken inside. */
  private wrap(text: string, width: number, style: Style): string[] {
    const fits = (line: string) =>
      this.split(line).reduce((sum, run) => sum + this.measure(run, style), 0) <= width;
    const lines: string[] = [];
    let line = "";
    for (const piece of text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\s+|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu,
    ) ?? [])
      for (const part of fits(piece) ? [piece] : graphemesOf(piece)) {
        if (line !== "" && !fits(line + part)) {
          lines.push(line.trimEnd());
          line = part.trimStart();
        } else line += part;
      }
    return [...lines, line.trimEnd()];
  }

  private split(text: string, direction: Direction = "ltr"): Run[] {
    const runs: Run[] = [];
    const graphemes = graphemesOf(text);
    const levels = embeddingLevels(graphemes, direction);
    for (const [index, grapheme] of graphemes.entries()) {
      const level = levels[index] ?? 0;
      const [base = "", ...marks] = level % 2 === 1 ? mirror(grapheme) : grapheme;
      const font = this.findFont(base) ?? this.findFont(BOX);
      if (!font) continue;
      // Draws one box per missing grapheme, regardless of its code points. A combining mark needs the font of its
      // letter.
      const drawable = this.findFont(base)
        ? base + marks.filter((mark) => this.has(font, mark)).join("")
        : BOX;
      const last = runs.at(-1);
      if (last && last.font === font && last.level === level && joins(last.text, drawable, level))
        last.text += drawable;
      else runs.push({ font, text: drawable, level });
    }
    return runs;
  }

  private has = (font: DocumentFont, character: string) => font.has(character.codePointAt(0) ?? 0);

  private findFont = (character: string): DocumentFont | undefined =>
    this.fonts.find((font) => this.has(font, character));

  private measure = (run: Run, style: Style): number => this.use(run, style).widthOfString(run.text);

  private use({ font }: Run, { size, bold }: Style): PDFKit.PDFDocument {
    const name = `${font.name}-${bold ? "bold" : "regular"}`;
    if (!this.registered.has(name)) {
      this.doc.registerFont(name, bold ? font.bold : font.regular);
      this.registered.add(name);
    }
    return this.doc.font(name).fontSize(size);
  }
}
