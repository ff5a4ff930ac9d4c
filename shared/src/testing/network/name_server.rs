//! DNS over UDP.

use tokio::net::UdpSocket;

use super::{Names, TestNetwork, ZONE};
use crate::peppol::lookup::dns_name;

/// Answers queries for NAPTR records (RFC 1035, RFC 3403).
pub(super) async fn resolve(network: TestNetwork, socket: UdpSocket) {
    let mut question = [0; 1500];
    while let Ok((length, from)) = socket.recv_from(&mut question).await {
        let answer = name_answer(&network, &question[..length]);
        let _ = socket.send_to(&answer, from).await;
    }
}

fn name_answer(network: &TestNetwork, question: &[u8]) -> Vec<u8> {
    let (mut end, mut name) = (12, String::new());
    while question[end] != 0 {
        let label = &question[end + 1..=end + usize::from(question[end])];
        name.push_str(&String::from_utf8_lossy(label));
        name.push('.');
        end += label.len() + 1;
    }
    end += 5; // root, type and class
    let names = {
        let mut days = network.days.lock().unwrap();
        days.questions += 1;
        days.names
    };
    let own = network.participants.lock().unwrap();
    let own = own.values().map(|one| (one.clone(), network.smp_url()));
    let led = network.smps.lock().unwrap().clone();
    let mut smps = led.into_iter().chain(own);
    let smp = smps.find(|(participant, _)| dns_name(participant, ZONE) == name);
    let known = smp.is_some();
    let code = match names {
        Names::ServerFailure => 2,
        Names::Well if known => 0,
        Names::Well | Names::NoName => 3,
    };
    let mut answer = question[..2].to_vec();
    answer.extend([0x81, 0x80 | code, 0, 1, 0, u8::from(code == 0), 0, 0, 0, 0]);
    answer.extend(&question[12..end]);
    if let (0, Some((_, url))) = (code, smp) {
        let rule = format!("!.*!{url}!");
        let mut data = vec![0, 100, 0, 10];
        for text in ["U", "Meta:SMP", &rule] {
            data.push(u8::try_from(text.len()).unwrap());
            data.extend(text.as_bytes());
        }
        data.push(0);
        answer.extend([0xc0, 12, 0, 35, 0, 1, 0, 0, 0, 60, 0]);
        answer.push(u8::try_from(data.len()).unwrap());
        answer.extend(data);
    }
    answer
}
