import { getTableColumns } from "drizzle-orm";
import { expect, it } from "vitest";
import { products } from "@/db/schema/catalog";
import { PlainFields } from "@/lib/catalog/import/contract-fields";
import { PLAIN_FIELD_NAMES, PLAIN_FIELDS } from "@/lib/catalog/import/rules-fields";

it("a plain field of a product is a column of its name and type", () => {
  const columns = new Map(Object.values(getTableColumns(products)).map((column) => [column.name, column]));
  for (const name of PLAIN_FIELD_NAMES)
    expect(columns.get(name)?.getSQLType(), name).toBe(
      PLAIN_FIELDS[name].type === "number" ? "integer" : "text",
    );
});

it("the statements name the plain fields in the order of the record", () => {
  expect(PLAIN_FIELD_NAMES).toEqual(Object.keys(PlainFields.shape));
});
