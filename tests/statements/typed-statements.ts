import { type Expression, type TaggedTemplateExpression, Visitor } from "oxc-parser";
import { isCode, lineNumber, parse, type Repository } from "../architecture/repository";

/** A hand-written statement whose call names the type of its rows: `execute<Row>(sql…)` or `client()<Row[]>…`. */
export type TypedStatement = {
  path: string;
  line: number;
  /** The position of the expression in its file. */
  start: number;
  end: number;
  /** The row type as written. */
  row: string;
  /** Matches the statement's text; undefined where the text is not a template at the call. */
  text: RegExp | undefined;
};

const FOLDERS = /^(lib|db|scripts)\//;

const escaped = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The template's own text, with anything in place of what is interpolated. */
function textPattern({ quasi }: TaggedTemplateExpression): RegExp {
  const parts = quasi.quasis.map(({ value }) => escaped(value.cooked ?? value.raw));
  return new RegExp(`^${parts.join("[^]*")}$`);
}

const isTag = (node: Expression | undefined): node is TaggedTemplateExpression =>
  node?.type === "TaggedTemplateExpression";

export function typedStatements(repo: Repository): TypedStatement[] {
  return repo.files
    .filter((path) => FOLDERS.test(path) && isCode(path) && path.endsWith(".ts"))
    .flatMap((path) => statementsOf(repo, path));
}

function statementsOf(repo: Repository, path: string): TypedStatement[] {
  const source = repo.read(path);
  const found: TypedStatement[] = [];
  const add = (node: Expression, row: string, text: RegExp | undefined) =>
    found.push({
      path,
      line: lineNumber(repo, path, node.start),
      start: node.start,
      end: node.end,
      row,
      text,
    });
  new Visitor({
    CallExpression(node) {
      const { callee, typeArguments, arguments: args } = node;
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      if (callee.property.name !== "execute" || !typeArguments) return;
      const [row] = typeArguments.params;
      const [statement] = args as Expression[];
      add(node, source.slice(row!.start, row!.end), isTag(statement) ? textPattern(statement) : undefined);
    },
    TaggedTemplateExpression(node) {
      const [rows] = node.typeArguments?.params ?? [];
      // sql<T> names the type of an expression of the query builder, not of rows.
      if (!rows || node.tag.type !== "CallExpression") return;
      add(node, `(${source.slice(rows.start, rows.end)})[number]`, textPattern(node));
    },
  }).visit(parse(repo, path).program);
  return found;
}
