-- The tokens of a text with their positions: each word, and for a run of Chinese, Japanese or Korean characters each pair
-- of adjacent characters and the last character.
CREATE OR REPLACE FUNCTION search_vector(input text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  WITH parts AS MATERIALIZED (
    SELECT m.part[1] AS run, m.part[2] AS word, coalesce(sum(coalesce(length(m.part[1]), 1))
      OVER (ORDER BY m.n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
    FROM regexp_matches(search_fold(input),
      '([\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+)|([^\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u2000-\u206f\u20a0-\u20cf\u2100-\u2bff\u2e00-\u3004\u3008-\u3040\u3097-\u309c\u30a0\u30fb\u3130-\u31ef\u3200-\u33ff\u4dc0-\u4dff\ue000-\uf8ff\ufe00-\ufe6f\ufff0-\uffff\U0001f000-\U0001ffff\U000e0000-\U0010ffff]+[+#]*)',
      'g') WITH ORDINALITY AS m(part, n)),
  tokens AS (
    SELECT left(word, 64) AS token, before + 1 AS place FROM parts WHERE word IS NOT NULL
    UNION ALL
    SELECT substr(run, i, 2), before + i FROM parts, generate_series(1, length(run)) i WHERE run IS NOT NULL)
  SELECT coalesce(string_agg('''' || token || ''':' || least(place, 16383), ' '), '')::tsvector FROM tokens
$$;
