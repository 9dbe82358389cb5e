import { describe, expect, it } from "vitest";
import { spreadsheetDamage } from "@/lib/platform/imports/spreadsheet";

describe("a spreadsheet cell", () => {
  it.each([
    "1.23457E+15",
    "1,23457E+15",
    "1,23E+10",
    "1.23457e+15",
    "1.23E-07",
    "1E+15",
    "1.23456789012346E+015",
    "１．２３４５７Ｅ＋１５",
    "#REF!",
    "#NAME?",
    "#N/A",
    "#NV",
    "#VALUE!",
    "#DIV/0!",
    "#WERT!",
    "#¡REF!",
    "#VALEUR!",
    "Err:502",
    "######",
    "=VLOOKUP(A2,Codes!A:B,2,0)",
    "=Codes!A5",
    "5-Mar",
    "05. Mrz",
    "Mar-05",
    "5-Mar-24",
    "3月5日",
    "2026年3月5日",
    "12:30:00",
    "2026-03-05 00:00:00",
    "3/5/2026 0:00",
  ])("%s is no longer a code", (text) => {
    expect(spreadsheetDamage(text)).toBe("certain");
  });

  it.each([
    "2026-03-05",
    "05.03.2026",
    "3/5/2026",
    "5-Mar-2026",
    "123456789012.0",
    "1234.5678",
    "123,456,789,012",
    "1.23457E15",
    "1234567890123450",
    "12345678901234500000",
    "$1,234.50",
    "1234 %",
    "=ABCD-EFGH-1234",
  ])("%s may still be a code", (text) => {
    expect(spreadsheetDamage(text)).toBe("possible");
  });

  it.each([
    "219E01BE",
    "000123456789012",
    "-ABCD-EFGH",
    "+ABCD-EFGH",
    "@ABCD-EFGH",
    "1234567890123456",
    "00001234567890123",
    "1234-5678-9012-3456",
    "12E45678",
    "MAR1-2345-6789",
    "SEPT-2026-AB12",
    "#ABCD-1234",
    "1234.5678.9012.3456",
    "2026-13-05-01",
    "omb_6jsz6q8vd68kq7bqac5s",
    "1E2D3C4B-5A69-4788-96A5-B4C3D2E1F000",
  ])("%s is a code", (text) => {
    expect(spreadsheetDamage(text)).toBeNull();
  });
});
