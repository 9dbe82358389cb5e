export const NAME_MAX = 100;
export const LINE_MAX = 200;
export const CITY_MAX = 100;
export const REGION_MAX = 100;
export const POSTAL_CODE_MAX = 20;

/** Countries and territories with residents, ISO 3166-1 alpha-2 (XK: Kosovo). */
export const COUNTRIES: readonly string[] = `
  AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW
  BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES
  ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL
  IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY
  MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR
  NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL
  SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE
  VG VI VN VU WF WS XK YE YT ZA ZM ZW
`
  .trim()
  .split(/\s+/);

/** One line of text without control characters and without characters that change text direction. */
export const ADDRESS_LINE_PATTERN = /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u;

/** Chinese, Japanese and Korean addresses run from the largest part to the smallest. */
const EAST_ASIAN_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

type PostalAddress = {
  line1: string;
  line2: string | null;
  city: string;
  region: string | null;
  postal_code: string | null;
};

/** The lines of an address below the name, in the order of its script; `countryName` is localised. */
export function addressLines(address: PostalAddress, countryName: string): string[] {
  const { line1, line2, city, region, postal_code } = address;
  const joinParts = (parts: (string | null)[], separator: string) => parts.filter(Boolean).join(separator);
  const lines = EAST_ASIAN_SCRIPT.test(city)
    ? [countryName, joinParts([postal_code, region, city], " "), line1, line2]
    : [line1, line2, joinParts([city, region, postal_code], ", "), countryName];
  return lines.filter((line): line is string => Boolean(line));
}
