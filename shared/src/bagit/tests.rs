//! Bags, read by Python's ZIP library and checked against their manifests.

use std::{fs, process::Command};

use tempfile::NamedTempFile;

use super::*;

const NAME: &str = "arc_1";

/// A complete bag, written by two workers.
fn written(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (first, second) = files.split_at(files.len() / 2);
    let mut bag = Bag::at(NAME, 0);
    assert_eq!(bag.len(), 0);
    for (path, content) in first {
        bag.add(path, content).unwrap();
    }
    let (mut whole, earlier) = bag.part();
    // The second worker reads the state of the first from the bucket.
    let kept: Vec<_> = earlier.iter().map(|filed| serde_json::to_string(filed).unwrap()).collect();
    let earlier = kept.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut bag = Bag::at(NAME, whole.len() as u64);
    for (path, content) in second {
        bag.add(path, content).unwrap();
    }
    whole.extend(
        bag.end(earlier, &[("Source-Organization", "Falcon\nTrading".to_owned())]).unwrap(),
    );
    whole
}

/// The output of a Python program that gets the path of an archive.
fn read_by_python(archive: &[u8], program: &str) -> String {
    let file = NamedTempFile::with_suffix(".zip").unwrap();
    fs::write(file.path(), archive).unwrap();
    let output = Command::new("python3").arg("-c").arg(program).arg(file.path()).output();
    // All tests need Python.
    let output = output.expect("there is a python3");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_bag_that_two_workers_wrote_is_read_whole_by_another_program() {
    let files = [
        ("documents/1/invoice.xml", b"<Invoice/>".to_vec()),
        ("documents/1/empty.xml", Vec::new()),
        ("documents/2/invoice.xml", "فاتورة".as_bytes().repeat(10_000)),
        ("documents/2/document.json", b"{}".to_vec()),
    ];
    let archive = written(&files);
    // Python's library checks the CRC of each file; this program checks the manifests.
    let program = r"
import hashlib, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
for manifest in ('manifest-sha256.txt', 'tagmanifest-sha256.txt'):
    for line in z.read('arc_1/' + manifest).decode().splitlines():
        digest, path = line.split('  ')
        assert hashlib.sha256(z.read('arc_1/' + path)).hexdigest() == digest, path
for info in z.infolist():
    print(info.filename, info.file_size)
print(z.read('arc_1/bag-info.txt').decode())
";
    let read = read_by_python(&archive, program);
    let lines: Vec<_> = read.lines().collect();
    assert_eq!(
        lines,
        [
            "arc_1/data/documents/1/invoice.xml 10",
            "arc_1/data/documents/1/empty.xml 0",
            "arc_1/data/documents/2/invoice.xml 120000",
            "arc_1/data/documents/2/document.json 2",
            "arc_1/bagit.txt 54",
            "arc_1/bag-info.txt 59",
            "arc_1/manifest-sha256.txt 380",
            "arc_1/tagmanifest-sha256.txt 241",
            "Source-Organization: Falcon Trading",
            "Payload-Oxum: 120012.4",
            "",
        ]
    );
}

#[test]
fn more_files_than_a_short_counts_are_counted_by_zip64() {
    let paths: Vec<_> = (0..66_000).map(|number| number.to_string()).collect();
    let files: Vec<_> = paths.iter().map(|path| (path.as_str(), b"x".to_vec())).collect();
    let archive = written(&files);
    let program = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); \
        print(len(z.namelist()), z.read('arc_1/data/65999'))";
    assert_eq!(read_by_python(&archive, program).trim(), "66004 b'x'");
}

#[test]
fn what_begins_behind_4_gib_is_named_by_zip64() {
    // The bytes before are a hole in a sparse file: a test cannot hold so much.
    let hole = 5_u64 << 30;
    let mut bag = Bag::at(NAME, hole);
    bag.add("far.txt", b"far away").unwrap();
    let end = bag.end(Vec::new(), &[]).unwrap();
    let program = format!(
        "import os, sys, zipfile\n\
        data = open(sys.argv[1], 'rb').read()\n\
        with open(sys.argv[1], 'wb') as f:\n    f.seek({hole}); f.write(data)\n\
        z = zipfile.ZipFile(sys.argv[1]); print(z.read('arc_1/data/far.txt'))"
    );
    assert_eq!(read_by_python(&end, &program).trim(), "b'far away'");
}
