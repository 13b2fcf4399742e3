# report.awk - rows (rows.h) in, on standard output a table for people, JSON for programs, Markdown for
# the README, or the verdict: how many targets were met, and which were not. -v form=table, json,
# markdown or verdict.

BEGIN { FS = "\t" }

# ---- Figures ---------------------------------------------------------------------------------------

function number(value,    groups) { # three digits that matter, thousands apart
    if (value == "" || value == 0)
        return value
    if (value < 0.01)
        return sprintf("%.2g", value)
    if (value < 9.995)
        return sprintf("%.2f", value)
    if (value < 99.95)
        return sprintf("%.1f", value)
    value = sprintf("%.0f", value)
    groups = ""
    for (; length(value) > 4 || (groups && length(value) > 3); value = substr(value, 1, length(value) - 3))
        groups = " " substr(value, length(value) - 2) groups
    return value groups
}

# 3.0x is three times as fast; without x, ours divided by the baseline's.
function ratio_text() { return ratio == "" ? "" : number(ratio) ($7 == "speed" ? "x" : "") }

# "ratio >= 8" as ">= 8x", "value <= 100" as "<= 100 us".
function target_text(    word) {
    if ($8 == "")
        return ""
    split($8, word, " ")
    return word[2] " " word[3] (word[1] == "value" ? ($3 == "" ? "" : " " $3) : $7 == "speed" ? "x" : "")
}

# "met", "missed", or "" without a target.
function judge(    word, value, limit) {
    if ($8 == "")
        return ""
    split($8, word, " ")
    value = word[1] == "ratio" ? ratio : $4
    limit = word[3] + 0
    if (value == "")
        return ""
    if (word[2] == ">=")
        return value >= limit ? "met" : "missed"
    if (word[2] == ">")
        return value > limit ? "met" : "missed"
    return value <= limit ? "met" : "missed"
}

# ---- JSON ------------------------------------------------------------------------------------------

function quoted(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    gsub(/[\001-\037]/, " ", text)
    return "\"" text "\""
}

function text_or_null(text) { return text == "" ? "null" : quoted(text) }
function number_or_null(value) { return value == "" ? "null" : sprintf("%.6g", value) }

function json_object(name, unit, value, baseline, baseline_value, target) {
    printf "%s  {\"name\": %s, \"unit\": %s, \"value\": %s, \"baseline\": %s, \"baseline_value\": %s, " \
        "\"ratio\": %s, \"target\": %s, \"met\": %s}", objects++ ? ",\n" : "[\n", quoted(name), text_or_null(unit),
        value, text_or_null(baseline), number_or_null(baseline_value), number_or_null(ratio), text_or_null(target),
        met == "" ? "null" : met == "met" ? "true" : "false"
}

# ---- Table -----------------------------------------------------------------------------------------

function end_points() {
    if (points > 0)
        printf "\n"
    points = 0
}

# Three to a line: name, value, ratio.
function table_point() {
    printf "%s  %-16s %8s %8s %-6s", points % 3 ? " |" : points ? "\n" : "", $2, number($4), ratio_text(),
        met == "missed" ? met : ""
    points++
}

function table_row() {
    end_points()
    printf "  %-41s %9s %-9s %-26s %9s %8s  %-12s %s\n", $2, number($4), $3, $5, number($6), ratio_text(),
        target_text(), met
}

# ---- Markdown --------------------------------------------------------------------------------------

function markdown_row() {
    if (pending != "")
        printf "| **%s** | | | | | |\n", pending
    pending = ""
    printf "| %s | %s %s | %s | %s | %s | %s |\n", $2, number($4), $3, $5 ($6 == "" ? "" : ": " number($6)),
        ratio_text(), target_text(), met == "missed" ? "**missed**" : met
}

# Curves come below the table, a line each.
function markdown_point() {
    if (curve != section_title)
        curves = curves "\n- " section_title ": "
    else
        curves = curves " · "
    curve = section_title
    curves = curves $2 ": " number($4) (ratio == "" ? "" : " (" ratio_text() ")")
}

# ---- Rows ------------------------------------------------------------------------------------------

$1 == "head" && form == "table" { printf "%-10s %s\n", $2, $3 }
$1 == "head" && form == "json" { json_object($2, "", quoted($3), "", "", "") }
$1 == "head" && form == "markdown" { printf "- %s: %s\n", $2, $3 }

$1 == "section" {
    section_title = $2
    section = $2
    sub(/:.*/, "", section)
    if (form == "table") {
        end_points()
        printf "\n%s\n", $2
    } else if (form == "markdown") {
        if (!tables++)
            print "\n| what | measured | against | ratio | target | |\n|---|---|---|---|---|---|"
        pending = section_title
    }
}

$1 == "key" || $1 == "row" || $1 == "point" || $1 == "step" {
    on_curve = $1 == "point" || $1 == "step"
    ratio = $7 == "speed" && $4 > 0 ? $6 / $4 : $7 == "share" && $6 > 0 ? $4 / $6 : ""
    met = judge()
    judged += met != ""
    if (met == "missed")
        missed[++misses] = sprintf("%s: %s %s%s, target %s", $2, number($4), $3,
            $5 == "" ? "" : ", " ratio_text() " to " $5, target_text())
    if (form == "json")
        json_object(on_curve ? section ", " $2 : $2, $3, number_or_null($4), $5, $6, $8)
    else if (form == "table" && on_curve)
        table_point()
    else if (form == "table")
        table_row()
    else if (form == "markdown" && $1 == "point")
        markdown_point()
    else if (form == "markdown" && $1 == "key")
        markdown_row()
}

END {
    if (form == "json")
        print "\n]"
    else if (form == "markdown")
        print curves
    else if (form == "table")
        end_points()
    else {
        printf "\n%d of %d targets met%s\n", judged - misses, judged, misses ? "; missed:" : ""
        for (i = 1; i <= misses; i++)
            print "  " missed[i]
    }
}
