"""Texts of many kinds, as they cost a model very different amounts for the same number of bytes."""

import base64
import json
import random
import re
from pathlib import Path

import readwell

WORDS = (
    "connection request user session timeout error warning started finished worker queue retry database query cache "
    "response upstream client server handler processed invalid payload failed closed opened between another because"
).split()
SENTENCES = {
    "german": "Die Übertragung wurde abgebrochen, weil die Gegenstelle längere Zeit keine Rückmeldung mehr gegeben hatte. ",
    "french": "Le fichier demandé n'existe pas ou ne peut être ouvert par l'utilisateur courant; vérifiez son nom. ",
    "russian": "Сервер не ответил на запрос вовремя, поэтому соединение было закрыто и задача поставлена в очередь. ",
    "arabic": "لم يستجب الخادم للطلب في الوقت المحدد ولذلك أغلق الاتصال وأعيدت المهمة إلى قائمة الانتظار. ",
    "hindi": "सर्वर ने समय पर उत्तर नहीं दिया इसलिए कनेक्शन बंद कर दिया गया और कार्य कतार में रखा गया। ",
    "chinese": "服务器没有及时响应请求，因此连接被关闭，任务重新放入队列，稍后将再次尝试读取文件的其余部分。",
    "japanese": "サーバーが時間内に応答しなかったため、接続は閉じられ、タスクは再びキューに入れられました。",
    "korean": "서버가 제시간에 응답하지 않아 연결이 닫혔고 작업은 나중에 다시 시도하기 위해 대기열에 들어갔습니다. ",
}
EMOJI = "😀 😂 🤖 👍🏽 🔥 🎉 ✨ 🚀 ✅ ⚠️ ❤️ 👩‍💻 👨‍👩‍👧‍👦 🇩🇪 🏳️‍🌈".split()


def _lines(make, count=400):
    return "".join(f"{make()}\n" for _ in range(count))


def _time(pick):
    return f"2026-{pick.randrange(1, 13):02d}-{pick.randrange(1, 29):02d}T{pick.randrange(24):02d}:{pick.randrange(60):02d}:07.{pick.randrange(1000):03d}Z"


def _id(pick):
    return (
        f"{pick.getrandbits(32):08x}-{pick.getrandbits(16):04x}-{pick.getrandbits(16):04x}-{pick.getrandbits(48):012x}"
    )


def _record(pick):
    return json.dumps(
        {"ts": _time(pick), "id": _id(pick), "msg": " ".join(pick.choices(WORDS, k=5)), "n": pick.random()}
    )


def texts_of_many_kinds(seed):
    """Returns a text of each kind by its name; another seed gives other texts."""
    pick = random.Random(seed)
    code = (
        Path(readwell.__file__).parent / pick.choice(["window.py", "engine.py", "batch_read.py", "disk_store/store.py"])
    ).read_text()
    kinds = {
        "prose": _lines(lambda: " ".join(pick.choices(WORDS, k=12)).capitalize() + "."),
        "log": _lines(lambda: f"{_time(pick)} INFO [worker-{pick.randrange(9)}] {' '.join(pick.choices(WORDS, k=6))}"),
        "log with ids": _lines(lambda: f"{_time(pick)} request={_id(pick)} trace={pick.getrandbits(64):016x} ok"),
        "numbers": _lines(lambda: "\t".join(f"{pick.uniform(-999, 999):.4f}" for _ in range(8))),
        "integers": _lines(lambda: ",".join(str(pick.randrange(10 ** pick.randrange(1, 9))) for _ in range(10))),
        "base64": base64.encodebytes(pick.randbytes(15_000)).decode(),
        "one line of base64": base64.b64encode(pick.randbytes(15_000)).decode(),
        "hex": _lines(lambda: " ".join(f"{byte:02x}" for byte in pick.randbytes(16))),
        "records": _lines(lambda: _record(pick)),
        "code": code * 3,
        "minified": re.sub(r"\s*\n\s*", ";", code * 3),
        "emoji": _lines(lambda: "".join(pick.choices(EMOJI, k=12))),
        "table": _lines(lambda: f"│ {pick.choice(WORDS):<14} │ {pick.randrange(9999):>6} │", 200)
        + f"├{'─' * 30}┤\n" * 90,
    }
    for name, sentence in SENTENCES.items():
        kinds[name] = _lines(lambda sentence=sentence: sentence * pick.randrange(1, 4), 150)
    return kinds
