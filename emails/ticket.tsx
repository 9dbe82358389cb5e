import type { CSSProperties, ReactNode } from "react";
import { LIGHT } from "./colours";
import { Table } from "./parts";

const EDGE = `1px solid ${LIGHT.hairline}`;
const SEPARATE = { borderCollapse: "separate", borderSpacing: 0 } as const;
const PADDED = { padding: "20px 24px" } as const;

/** The holes of a ticket: a picture, and what it says in words. */
export type Holes = { src: string; label: string };

type TicketProps = {
  children: ReactNode;
  stub: ReactNode;
  /** Of a pass; a ticket without has a dashed line. */
  holes?: Holes;
};

/** A pass as a ticket that email clients can draw: three tables, the middle one the seam between two notches. */
export function Ticket({ children, stub, holes }: TicketProps) {
  return (
    <div style={{ marginTop: 24 }}>
      <Piece radius="14px 14px 0 0" style={{ borderBottom: 0, paddingBottom: 12 }}>
        {children}
      </Piece>
      <Seam holes={holes} />
      <Piece radius="0 0 14px 14px" style={{ borderTop: 0, paddingTop: 2 }}>
        {stub}
      </Piece>
    </div>
  );
}

function Piece({ radius, style, children }: { radius: string; style: CSSProperties; children: ReactNode }) {
  return (
    <Table style={SEPARATE}>
      <tr>
        <td
          className="raised edge inner"
          style={{ ...PADDED, backgroundColor: LIGHT.raised, border: EDGE, borderRadius: radius, ...style }}
        >
          {children}
        </td>
      </tr>
    </Table>
  );
}

function Seam({ holes }: { holes?: Holes }) {
  return (
    <Table style={SEPARATE} hidden>
      <tr>
        <Notch radius="0 9px 9px 0" style={{ borderLeft: 0 }} />
        <td className="raised" style={{ backgroundColor: LIGHT.raised, padding: "0 8px" }}>
          {holes ? (
            // biome-ignore lint/performance/noImgElement: an email has no image optimizer
            <img
              src={holes.src}
              alt={holes.label}
              // Without it React writes a preload of the picture into the head.
              loading="lazy"
              width="480"
              height="16"
              style={{
                display: "block",
                width: "100%",
                maxWidth: 540,
                height: "auto",
                fontSize: 11,
                color: LIGHT.quiet,
              }}
            />
          ) : (
            <div
              className="edge"
              style={{ borderTop: `2px dashed ${LIGHT.hairline}`, fontSize: 0, lineHeight: 0 }}
            />
          )}
        </td>
        <Notch radius="9px 0 0 9px" style={{ borderRight: 0 }} />
      </tr>
    </Table>
  );
}

function Notch({ radius, style }: { radius: string; style: CSSProperties }) {
  return (
    <td
      className="raised"
      width={10}
      style={{ width: 10, backgroundColor: LIGHT.raised, fontSize: 0, lineHeight: 0 }}
    >
      <div
        className="paper edge"
        style={{
          height: 18,
          width: 9,
          backgroundColor: LIGHT.paper,
          border: EDGE,
          borderRadius: radius,
          ...style,
        }}
      />
    </td>
  );
}

type HeadProps = {
  name: string;
  /** The line below the name: vendor and kind of pass. */
  detail: string;
  /** The large number: a duration with its unit, or a price. */
  hero: string;
  unit: string;
  lang?: string;
};

/** Name and vendor on the left, the duration as a large number on the right. */
export function TicketHead({ name, detail, hero, unit, lang }: HeadProps) {
  return (
    <Table style={SEPARATE}>
      <tr>
        <td style={{ verticalAlign: "top", paddingRight: 12 }}>
          <div
            className="ink"
            lang={lang}
            style={{ color: LIGHT.ink, fontSize: 17, lineHeight: "26px", fontWeight: 600 }}
          >
            {name}
          </div>
          <div className="quiet" style={{ color: LIGHT.quiet, fontSize: 13, lineHeight: "20px" }}>
            {detail}
          </div>
        </td>
        <td
          className="ink"
          data-skip-in-text="true"
          style={{
            color: LIGHT.ink,
            textAlign: "right",
            verticalAlign: "top",
            whiteSpace: "nowrap",
            fontSize: 28,
            lineHeight: "34px",
            fontWeight: 600,
          }}
        >
          {hero}
          {unit && <span style={{ fontSize: 15, fontWeight: 400 }}>{` ${unit}`}</span>}
        </td>
      </tr>
    </Table>
  );
}
