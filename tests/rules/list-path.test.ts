import { expect, it } from "vitest";
import { listQuery } from "@/lib/platform/pages/list-path";

it("a query that changes a list is part of its internal path, and nothing else is", () => {
  expect(listQuery(undefined)).toEqual({});
  expect(listQuery(["default", "2"])).toEqual({ page: "2" });
  expect(listQuery(["price_asc", "1"])).toEqual({ sort: "price_asc", page: "1" });
  for (const path of [["2"], ["default", "2", "x"], ["default", ""]]) expect(listQuery(path)).toBeNull();
});
