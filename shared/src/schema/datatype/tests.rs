use super::Datatype::{self, *};

/// Asserts which values a datatype accepts and refuses. The verdicts are those of libxml2 2.14.
#[track_caller]
fn check_texts(datatype: Datatype, accepted: &[&str], refused: &[&str]) {
    for value in accepted {
        assert!(datatype.accepts(value), "{datatype:?} refuses {value:?}");
    }
    for value in refused {
        assert!(!datatype.accepts(value), "{datatype:?} accepts {value:?}");
    }
}

#[test]
fn a_decimal_has_a_digit_and_no_exponent() {
    let long = "1".repeat(5000);
    let fine = ["1", "1.", ".1", "+1", "-.5", " 1 ", "  -1.50\t\n", "0", "00.", "-0.", &long];
    let wrong = [
        "", " ", ".", "-", "+.", " .", "- 1", "--1", "1e5", "1,0", "1 0", "0x1", "INF", "١", "1_0",
    ];
    check_texts(Decimal, &fine, &wrong);
}

#[test]
fn an_integer_is_of_any_length_within_its_bounds() {
    let long = "9".repeat(100);
    check_texts(
        Integer,
        &["0", "-0", "+1", " 007 ", &long],
        &["", "1.0", "1.", "+ 1", "--1", "1e1"],
    );
    check_texts(NonNegativeInteger, &["0", "-0", &long], &["-1"]);
    check_texts(PositiveInteger, &["1", &long], &["0", "-0", "-1"]);
    check_texts(NonPositiveInteger, &["0", "+0", "-1"], &["1", &long]);
    check_texts(NegativeInteger, &["-1", &format!("-{long}")], &["0", "-0", "1"]);
    check_texts(
        Long,
        &["9223372036854775807", "-9223372036854775808"],
        &["9223372036854775808", &long],
    );
    check_texts(Int, &["2147483647", "-2147483648"], &["2147483648", "-2147483649"]);
    check_texts(Short, &["32767", "-32768"], &["32768", "-32769"]);
    check_texts(Byte, &["127", "-128"], &["128", "-129"]);
    check_texts(UnsignedLong, &["18446744073709551615", "-0"], &["18446744073709551616", "-1"]);
    check_texts(UnsignedInt, &["4294967295"], &["4294967296"]);
    check_texts(UnsignedShort, &["65535"], &["65536"]);
    check_texts(UnsignedByte, &["255"], &["256"]);
}

#[test]
fn a_double_may_lack_the_digits_of_its_exponent() {
    let fine = ["1", " 1 ", "INF", " INF", "-INF", "NaN", "1e", "1e5", "1E+5", "1.", ".5"];
    check_texts(Double, &fine, &["", ".", "+INF", "INF ", "+-1", "e5", "1e5.5", "- 1"]);
}

#[test]
fn a_date_is_of_the_calendar_and_has_no_white_space_around_it() {
    let fine = [
        "2024-01-01",
        "2024-02-29",
        "2000-02-29",
        "-2024-02-29",
        "-0001-01-01",
        "12024-01-01",
        "9223372036854775807-01-01",
        "2024-01-01Z",
        "2024-01-01+14:00",
        "2024-01-01-05:00",
    ];
    let wrong = [
        "",
        " 2024-01-01",
        "2024-01-01 ",
        "2024-01-01\n",
        "2024-01-01Z ",
        "2023-02-29",
        "1900-02-29",
        "2024-04-31",
        "2024-13-01",
        "2024-00-01",
        "2024-01-00",
        "2024-1-1",
        "24-01-01",
        "0000-01-01",
        "012024-01-01",
        "+2024-01-01",
        "--2024-01-01",
        "9223372036854775808-01-01",
        "2024-01-01+14:01",
        "2024-01-01+15:00",
        "2024-01-01+5:00",
        "2024-01-01z",
        "2024-01-01T00:00:00",
        "20240101",
        "12:00:00",
    ];
    check_texts(Date, &fine, &wrong);
}

#[test]
fn a_time_ends_at_24_00_00() {
    let fine =
        ["12:00:00", " 12:00:00", "24:00:00", "24:00:00.0", "23:59:59.999", "12:00:00.5-14:00"];
    let wrong = [
        "12:00",
        "12:00:00 ",
        "12:60:00",
        "12:00:60",
        "24:00:01",
        "24:00:00.1",
        "12:00:00.",
        "1:00:00",
    ];
    check_texts(Time, &fine, &wrong);
}

#[test]
fn seconds_are_added_up_in_a_double() {
    check_texts(Time, &["12:00:59.9999999999999"], &["12:00:59.99999999999999"]);
    let tiny = |zeroes| format!("24:00:00.{}1", "0".repeat(zeroes));
    check_texts(Time, &[&tiny(323)], &[&tiny(322)]);
}

#[test]
fn a_date_with_a_time_and_a_zone_may_be_followed_by_white_space() {
    let fine = [
        "2024-01-01T12:00:00",
        "2024-01-01T24:00:00",
        "2024-01-01T12:00:00.1+14:00",
        "2024-01-01T12:00:00Z ",
    ];
    check_texts(
        DateTime,
        &fine,
        &[
            " 2024-01-01T12:00:00Z",
            "2024-01-01 12:00:00",
            "2024-01-01",
            "2024-01-01t12:00:00",
            "2024-01-01T12:00:00 ",
        ],
    );
}

#[test]
fn parts_of_dates_are_distinguished() {
    check_texts(
        Year,
        &["2024", "-2024", "2024Z", "2024-05:00"],
        &[" 2024", "2024 ", "24", "2024-05"],
    );
    check_texts(YearMonth, &["2024-05", "2024-01-05:00"], &["2024-13", " 2024-01", "2024-01-01"]);
    check_texts(Month, &["--01", " --01", "--01-05:00"], &["--13", "--01--", "--01 ", "--01-01"]);
    check_texts(
        MonthDay,
        &["--02-29", "--01-01-05:00", " --01-01"],
        &["--02-30", "--04-31", "--01-01 "],
    );
    check_texts(Day, &["---31", "---01Z", " ---01"], &["---32", "---1", "--01"]);
}

#[test]
fn a_duration_has_its_parts_in_order() {
    let fine = [
        "P1Y",
        "-P1Y",
        " P1Y",
        "P1Y1D",
        "P1YT1H",
        "PT.5S",
        "PT1.S",
        "P1Y2M3DT4H5M6.7S",
        "P9223372036854775807M",
    ];
    let wrong = [
        "",
        "P",
        "PT",
        "P1",
        "P1YT",
        "P1.5Y",
        "P1M1Y",
        "P1Y ",
        "P1W",
        "p1y",
        "P1DT",
        "P-1Y",
        "+P1Y",
        "P1DT1D",
        "P9223372036854775808M",
        "P768614336404564651Y",
        "PT1M1H",
        "PT.S",
    ];
    check_texts(Duration, &fine, &wrong);
}

#[test]
fn base64_skips_strange_characters_and_wants_its_padding() {
    let fine = ["", "AAAA", "AAA=", "AA==", "AQ==", "AAE=", "A A\nA A", "!!!!", "AA=!=", "é"];
    check_texts(
        Base64Binary,
        &fine,
        &["A", "AAA", "A===", "AAAA=", "AAB=", "AR==", "==", "AA=A", "AAAA===="],
    );
    check_texts(HexBinary, &["", "ab", " AB "], &["abc", "a b", "AG"]);
}

#[test]
fn a_boolean_is_one_of_four_words() {
    check_texts(
        Boolean,
        &["true", "false", "1", "0", " true "],
        &["", "TRUE", "tru", "trues", "2"],
    );
}

#[test]
fn a_uri_follows_rfc_3986_after_escaping() {
    let fine = [
        "",
        " ",
        "a",
        "a b",
        "é",
        "it's",
        "\\",
        "a|b",
        "a^",
        "?",
        "#",
        "//",
        "///",
        "http:",
        "a:b:c",
        "/:a",
        "a/b:c",
        "a?b#c",
        "%41",
        "a#[]",
        "http://x",
        "http://[::1]",
        "http://a:1",
        "http://u:p@h:80/p?q#f",
        "http://1.2x",
        "urn:x",
        "\t a",
    ];
    let wrong = [
        ":a",
        "1:a",
        "~:x",
        "-a:c",
        "%zz",
        "#a#b",
        "a?[",
        "[",
        "http://[",
        "http://a:",
        "http://a:99999999999",
        "//a@b@c",
        "http://x/%",
        "http://[::1]x",
        "http://a[b]",
    ];
    check_texts(AnyUri, &fine, &wrong);
}

#[test]
fn a_name_has_the_letters_of_the_fourth_edition() {
    check_texts(
        NcName,
        &["a", " a ", "_", "é", "a.", "a·", "ำ"],
        &["", "1", "a:b", "a b", "-a", "·", "々", "a\u{378}", "\u{10000}"],
    );
    check_texts(super::Datatype::Name, &["a:b", ":a"], &["1a", "-"]);
    check_texts(NmToken, &["1", "-a", "a:b", "々", " a "], &["", "a b", "Ⅰ"]);
    check_texts(NcNames, &["", "a b"], &["a 1"]);
    check_texts(NmTokens, &["", "1 b"], &["a Ⅰ"]);
    check_texts(QName, &["a", "a:b"], &["a:b:c", ":a", "a:"]);
}

#[test]
fn a_language_has_subtags_of_up_to_eight_characters() {
    check_texts(
        Language,
        &["en", "en-US", " en ", "en-a1-1"],
        &["", "en-", "-en", "e1", "en_US", "abcdefghi", "en us"],
    );
}

#[test]
fn an_enumeration_has_its_values_alone() {
    check_texts(Enumeration(&["One", "Two"]), &["One", "Two"], &["one", " One", ""]);
}

#[test]
fn nothing_represents_an_entity_without_a_document_type() {
    check_texts(Nothing, &[], &["", "a"]);
    check_texts(NoItems, &["", " "], &["a"]);
}

#[test]
fn text_is_anything() {
    for datatype in [String, NormalizedString, Token, AnySimple] {
        check_texts(datatype, &["", " ", "a\tb", "\u{10FFFF}"], &[]);
    }
}
