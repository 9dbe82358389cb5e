import { Children, type CSSProperties, type ReactNode } from "react";
import { Button, Heading, Link, Text } from "react-email";
import { splitDates } from "@/lib/platform/split-dates";
import { LIGHT } from "./colours";

type TableProps = { style?: CSSProperties; hidden?: boolean; children: ReactNode };

/** A table for layout. `hidden`: left out of the plain text. */
export function Table({ style, hidden, children }: TableProps) {
  return (
    <table
      role="presentation"
      cellPadding={0}
      cellSpacing={0}
      border={0}
      style={{ width: "100%", ...style }}
      data-skip-in-text={hidden}
    >
      <tbody>{children}</tbody>
    </table>
  );
}

export function Title({ children }: { children: ReactNode }) {
  return (
    <Heading
      as="h1"
      className="ink"
      style={{
        color: LIGHT.ink,
        fontSize: 28,
        lineHeight: "36px",
        fontWeight: 600,
        letterSpacing: "-0.01em",
        margin: "28px 0 0",
      }}
    >
      {children}
    </Heading>
  );
}

/** Keeps the dates of texts on one line. */
const dated = (children: ReactNode): ReactNode =>
  Children.map(children, (child) =>
    typeof child === "string"
      ? splitDates(child).map((piece, index) =>
          index % 2 === 0 ? (
            piece
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text keep their places
            <span key={index} style={{ whiteSpace: "nowrap" }}>
              {piece}
            </span>
          ),
        )
      : child,
  );

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <Text className="ink" style={{ color: LIGHT.ink, fontSize: 15, lineHeight: "24px", margin: "12px 0 0" }}>
      {dated(children)}
    </Text>
  );
}

export function Quiet({ children }: { children: ReactNode }) {
  return (
    <Text
      className="quiet"
      style={{ color: LIGHT.quiet, fontSize: 13, lineHeight: "20px", margin: "6px 0 0" }}
    >
      {dated(children)}
    </Text>
  );
}

/** The main action of an email: a button. Each email has at most one. */
export function Action({ href, children }: { href: string; children: ReactNode }) {
  return (
    <div style={{ marginTop: 28 }}>
      <Button
        href={href}
        className="act"
        style={{
          backgroundColor: LIGHT.accent,
          color: LIGHT.accentInk,
          borderRadius: 10,
          fontSize: 15,
          fontWeight: 600,
          lineHeight: "20px",
          padding: "12px 22px",
        }}
      >
        {children}
      </Button>
    </div>
  );
}

export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="ink" style={{ color: LIGHT.ink, textDecoration: "underline" }}>
      {children}
    </Link>
  );
}

/** A secondary link below the main action. */
export function SideLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Paragraph>
      <TextLink href={href}>{children}</TextLink>
    </Paragraph>
  );
}
