import type { ReactNode } from "react";
import { ConsoleLink } from "@/components/console/link";
import { Pill, type Tone } from "@/components/console/pill";
import { Age, ShortDate, ShortTime, TimeLeft } from "@/components/console/time";
import { useSurface } from "@/components/ui/surface";
import { formatPrice, toSignedCents } from "@/lib/platform/money";

/** Where a cell stands on a phone's card of two lines: `title` and `end` on the first, `sub`, `time` and `mark` on the second. */
type CardPlace = "title" | "end" | "sub" | "time" | "mark";

export type Column<Row> = {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** In pixels; columns without one share what is left. */
  width?: number;
  /** Numbers are aligned to the end. */
  end?: boolean;
  /** The row's name: always shown. */
  main?: boolean;
  card?: CardPlace;
  /** Left out in windows below 1180 px. */
  minor?: boolean;
  /** Only in the panel of a row: long texts. */
  panel?: boolean;
};
/** What a list may say otherwise about a column of the vocabulary. */
type Options = Partial<Pick<Column<never>, "width" | "end" | "main" | "card" | "minor" | "panel">>;

export const NOTHING = <span className="text-quiet">–</span>;

function Usd({ amount }: { amount: number }) {
  return <>{formatPrice(toSignedCents(amount), useSurface().locale)}</>;
}

function Whole({ value }: { value: number }) {
  return <>{value.toLocaleString(useSurface().locale)}</>;
}

export type State = { text: string; tone?: Tone | undefined };

/** The vocabulary of the columns of a list of such rows. */
export function columnsOf<Row>() {
  /** Any other cell. */
  const cell = (
    id: string,
    header: string,
    render: (row: Row) => ReactNode,
    options?: Options,
  ): Column<Row> => ({ id, header, cell: render, ...options });

  const text = (
    id: string,
    header: string,
    get: (row: Row) => string | number | null | undefined,
    options?: Options,
  ): Column<Row> => ({ id, header, cell: (row) => get(row) || NOTHING, ...options });

  /** A text that only the panel of a row shows, with its lines. */
  const longText = (
    id: string,
    header: string,
    get: (row: Row) => string | null | undefined,
    language?: (row: Row) => string,
  ): Column<Row> => ({
    id,
    header,
    panel: true,
    cell: (row) => (
      <span lang={language?.(row)} className="whitespace-pre-wrap">
        {get(row) || NOTHING}
      </span>
    ),
  });

  const link = (
    id: string,
    header: string,
    get: (row: Row) => { text: string; href: string | null } | null,
    options?: Options,
  ): Column<Row> => ({
    id,
    header,
    cell: (row) => {
      const target = get(row);
      if (!target) return NOTHING;
      if (target.href === null) return target.text;
      return (
        <ConsoleLink href={target.href} className="text-link py-1">
          {target.text}
        </ConsoleLink>
      );
    },
    ...options,
  });

  /** The order's number, with a link to its page. */
  const order = (header: string, get: (row: Row) => string | null, options?: Options): Column<Row> =>
    link(
      "order",
      header,
      (row) => {
        const number = get(row);
        return number === null ? null : { text: number, href: `/console/orders/${number}` };
      },
      { width: 124, ...options },
    );

  /** A person's address, with a link to their page. */
  const customer = (
    id: string,
    header: string,
    get: (row: Row) => { customer_id: string; email: string },
    options?: Options,
  ): Column<Row> =>
    link(
      id,
      header,
      (row) => {
        const { customer_id, email } = get(row);
        return { text: email, href: `/console/customers/${customer_id}` };
      },
      { card: "sub", ...options },
    );

  /** US dollars; null is a dash. `more`: at least so much. */
  const money = (
    id: string,
    header: string,
    get: (row: Row) => number | null,
    options?: Options & { more?: (row: Row) => boolean },
  ): Column<Row> => {
    const { more, ...rest } = options ?? {};
    return {
      id,
      header,
      width: 96,
      end: true,
      card: "end",
      cell: (row) => {
        const amount = get(row);
        return amount === null ? (
          NOTHING
        ) : (
          <>
            <Usd amount={amount} />
            {more?.(row) && "+"}
          </>
        );
      },
      ...rest,
    };
  };

  /** A number; from `limit` on, to which it is counted, "100+". */
  const count = (
    id: string,
    header: string,
    get: (row: Row) => number | null,
    options?: Options & { limit?: number; exact?: (row: Row) => boolean },
  ): Column<Row> => {
    const { limit, exact, ...rest } = options ?? {};
    return {
      id,
      header,
      width: 84,
      end: true,
      cell: (row) => {
        const value = get(row);
        if (value === null) return NOTHING;
        const isMore = exact ? !exact(row) : limit !== undefined && value >= limit;
        return (
          <>
            <Whole value={value} />
            {isMore && "+"}
          </>
        );
      },
      ...rest,
    };
  };

  const moment =
    (width: number, Shown: typeof ShortTime | typeof ShortDate, card?: "time") =>
    (id: string, header: string, get: (row: Row) => string | null, options?: Options): Column<Row> => ({
      id,
      header,
      width,
      ...(card && { card }),
      cell: (row) => {
        const at = get(row);
        return at === null ? NOTHING : <Shown at={at} />;
      },
      ...options,
    });
  const time = moment(138, ShortTime, "time");
  /** A day in the reader's zone. */
  const date = moment(108, ShortDate);

  /** How long something waits. */
  const age = (id: string, header: string, get: (row: Row) => string, options?: Options): Column<Row> => ({
    id,
    header,
    width: 80,
    card: "time",
    cell: (row) => <Age at={get(row)} />,
    ...options,
  });

  /** How much time is left; `late` for what is past. */
  const timeLeft = (
    id: string,
    header: string,
    get: (row: Row) => string,
    late: string,
    options?: Options,
  ): Column<Row> => ({
    id,
    header,
    width: 96,
    card: "time",
    cell: (row) => <TimeLeft until={get(row)} late={late} />,
    ...options,
  });

  /** The state in a word, with marks beside it, such as "disputed". */
  const state = (
    id: string,
    header: string,
    get: (row: Row) => State | readonly (State | false | null | undefined)[],
    options?: Options,
  ): Column<Row> => ({
    id,
    header,
    width: 140,
    card: "mark",
    cell: (row) =>
      [get(row)]
        .flat()
        .filter((one) => one !== false && one !== null && one !== undefined)
        .map((one) => (
          <span key={one.text}>
            <Pill tone={one.tone}>{one.text}</Pill>{" "}
          </span>
        )),
    ...options,
  });
  return { cell, text, longText, link, order, customer, money, count, time, date, age, timeLeft, state };
}
