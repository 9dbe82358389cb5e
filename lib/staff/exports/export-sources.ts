import { ConsoleCustomersInput } from "@/lib/accounts/console/contract";
import { customerListQuery, listConsoleCustomers } from "@/lib/accounts/console/list-console-customers";
import { ConsoleProductsInput } from "@/lib/catalog/console/contract";
import { listConsoleProducts, productListQuery } from "@/lib/catalog/console/list-console-products";
import { ConsoleStockInput } from "@/lib/delivery/console/contract";
import { ConsoleReplacementsInput } from "@/lib/delivery/console/contract-replacements";
import {
  listConsoleReplacements,
  replacementListQuery,
} from "@/lib/delivery/console/list-console-replacements";
import { listConsoleStock, stockListQuery } from "@/lib/delivery/console/list-console-stock";
import { ConsoleApplicationsInput } from "@/lib/merchants/console/contract";
import {
  applicationListQuery,
  listConsoleApplications,
} from "@/lib/merchants/console/list-console-applications";
import { ConsoleMailsInput } from "@/lib/notifications/console/contract";
import { listConsoleMails, mailListQuery } from "@/lib/notifications/console/list-console-mails";
import { ConsoleOrdersInput } from "@/lib/orders/console/contract";
import { ConsoleDisputesInput } from "@/lib/orders/console/contract-disputes";
import { ConsoleRefundsInput } from "@/lib/orders/console/contract-refunds";
import { disputeListQuery, listConsoleDisputes } from "@/lib/orders/console/list-console-disputes";
import { orderListQuery } from "@/lib/orders/console/list-console-orders";
import { listConsoleRefunds, refundListQuery } from "@/lib/orders/console/list-console-refunds";
import { listOrdersForExport, type OrderSums } from "@/lib/orders/console/list-orders-for-export";
import { CURRENCY } from "@/lib/payments/rules";
import { type CsvSource, cellsOf, toCells } from "@/lib/platform/console/csv";
import { type ConsoleListQuery, EXPORT } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ExportList } from "@/lib/staff/exports/rules";
import { EmptySearchesInput, SourcesInput } from "@/lib/tracking/insight/contract";
import { listSources, sourceListQuery } from "@/lib/tracking/insight/get-sources";
import { emptySearchListQuery, listEmptySearches } from "@/lib/tracking/insight/list-empty-searches";

export type ExportSource = CsvSource & { query: ConsoleListQuery };

/** A list with these filters, as the screen shows it. */
export const EXPORT_SOURCES: Readonly<Record<ExportList, (filters: object, locale: Locale) => ExportSource>> =
  {
    orders: (filters, locale) => {
      const input = ConsoleOrdersInput.strict().parse(filters);
      const columns = [
        "order_number",
        "order_id",
        "created_at",
        "send_email",
        "final_amount",
        "status",
        "paid_at",
        "disputed",
      ] as const;
      const money = [
        "discount_amount",
        "coupon_code",
        "paid_amount",
        "refunded_amount",
        "payment_id",
        "subtotal",
        "added_tax",
        "added_tax_percent",
        "tax_country",
        "tax_amount",
      ] as const satisfies readonly (keyof OrderSums)[];
      return {
        columns: [...columns, "payment_state", "payment_method", "passes", "currency", ...money],
        query: orderListQuery(input),
        read: async (cursor) =>
          toCells(await listOrdersForExport({ ...input, cursor }, locale), (order) => [
            ...columns.map((name) => order[name]),
            order.payment?.state ?? null,
            order.payment?.method ?? null,
            order.passes
              .map((pass) => `${pass.product_name} · ${pass.vip_type} × ${pass.quantity}`)
              .join("; "),
            CURRENCY,
            ...money.map((name) => order[name]),
          ]),
      };
    },
    customers: (filters) => {
      const input = ConsoleCustomersInput.strict().parse(filters);
      const columns = [
        "customer_id",
        "email",
        "username",
        "state",
        "since",
        "orders",
        "orders_exact",
        "spent",
        "refunded",
      ] as const;
      return {
        columns,
        query: customerListQuery(input),
        read: async (cursor) =>
          toCells(await listConsoleCustomers({ ...input, cursor }, EXPORT), cellsOf(columns)),
      };
    },
    mails: (filters) => {
      const input = ConsoleMailsInput.strict().parse(filters);
      const columns = [
        "mail_id",
        "event",
        "to_address",
        "locale",
        "order_number",
        "state",
        "attempts",
        "last_error",
        "created_at",
        "sent_at",
      ] as const;
      return {
        columns,
        query: mailListQuery(input),
        read: async (cursor) =>
          toCells(await listConsoleMails({ ...input, cursor }, EXPORT), cellsOf(columns)),
      };
    },
    refunds: (filters, locale) => {
      const input = ConsoleRefundsInput.strict().parse(filters);
      const columns = [
        "refund_id",
        "order_number",
        "email",
        "product_name",
        "vip_type",
        "vendor",
        "amount",
        "at",
        "answer_by",
        "decided_by",
        "decided_at",
        "asked_by",
        "failure",
        "disputed",
      ] as const;
      return {
        columns,
        query: refundListQuery(input),
        read: async (cursor) =>
          toCells(await listConsoleRefunds({ ...input, cursor }, locale, EXPORT), cellsOf(columns)),
      };
    },
    disputes: (filters) => {
      const input = ConsoleDisputesInput.strict().parse(filters);
      const columns = [
        "dispute_id",
        "order_number",
        "email",
        "amount",
        "reason",
        "status",
        "is_open",
        "evidence_due_at",
        "created_at",
        "closed_at",
        "transaction_id",
      ] as const;
      return {
        columns,
        query: disputeListQuery(input),
        read: async (cursor) =>
          toCells(await listConsoleDisputes({ ...input, cursor }, EXPORT), cellsOf(columns)),
      };
    },
    replacements: (filters, locale) => {
      const input = ConsoleReplacementsInput.strict().parse(filters);
      const columns = [
        "request_id",
        "order_number",
        "email",
        "product_name",
        "vip_type",
        "key_id",
        "reason",
        "asked_by",
        "state",
        "asked_at",
        "shown",
        "earlier",
        "earlier_approved",
        "stock",
        "blocked_by",
        "decided_at",
        "decided_by",
      ] as const;
      return {
        columns,
        query: replacementListQuery(input),
        read: async (cursor) =>
          toCells(
            await listConsoleReplacements(null, { ...input, cursor }, locale, EXPORT),
            cellsOf(columns),
          ),
      };
    },
    applications: (filters) => {
      const input = ConsoleApplicationsInput.strict().parse(filters);
      const columns = [
        "application_id",
        "email",
        "product_url",
        "phone_num",
        "locale",
        "state",
        "created_at",
        "decided_at",
        "decided_by",
        "note",
      ] as const;
      return {
        columns,
        query: applicationListQuery(input),
        read: async (cursor) =>
          toCells(await listConsoleApplications({ ...input, cursor }, EXPORT), cellsOf(columns)),
      };
    },
    products: (filters, locale) => {
      const input = ConsoleProductsInput.strict().parse(filters);
      const columns = [
        "product_id",
        "slug",
        "product_name",
        "vendor",
        "category",
        "plans",
        "price_from",
        "stock",
        "stock_exact",
        "listed",
      ] as const;
      return {
        columns: [...columns, "untranslated", "updated_at"],
        query: productListQuery(input, locale),
        read: async (cursor) =>
          toCells(await listConsoleProducts({ ...input, cursor }, locale, { size: EXPORT }), (product) => [
            ...columns.map((name) => product[name]),
            product.untranslated.join(" "),
            product.updated_at,
          ]),
      };
    },
    keys: (filters, locale) => {
      const input = ConsoleStockInput.strict().parse(filters);
      const columns = [
        "vip_id",
        "product_id",
        "product_name",
        "vip_type",
        "vendor",
        "listed",
        "available",
        "reserved",
        "waiting",
        "sold_28_days",
        "days_of_cover",
        "next_redeem_by",
      ] as const;
      return {
        columns,
        query: stockListQuery(input),
        read: async (cursor) =>
          toCells(await listConsoleStock({ ...input, cursor }, locale, EXPORT), cellsOf(columns)),
      };
    },
    sources: (filters) => {
      const input = SourcesInput.strict().parse(filters);
      const columns = ["kind", "source", "visits", "product_views", "carts", "orders", "paid"] as const;
      return {
        columns,
        query: sourceListQuery(input),
        read: async (cursor) => toCells(await listSources({ ...input, cursor }, EXPORT), cellsOf(columns)),
      };
    },
    searches: (filters) => {
      const input = EmptySearchesInput.strict().parse(filters);
      const columns = ["content", "searches", "last_at", "locale"] as const;
      return {
        columns,
        query: emptySearchListQuery(input),
        read: async (cursor) =>
          toCells(await listEmptySearches({ ...input, cursor }, EXPORT), cellsOf(columns)),
      };
    },
  };
