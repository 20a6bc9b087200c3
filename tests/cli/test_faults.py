"""When the system fails under the command: full disks, closed pipes, signals, no memory, two writers.

    CFRULES=build/cfrules python3 tests/cli/test_faults.py
"""

import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import test_cli  # noqa: E402
from test_cli import CFRULES, COLUMNS, ROOT, run, write_csv  # noqa: E402

SMALL = ["--trees", 5, "--isolation-trees", 5, "--audit", 0]


def start(*arguments, **options):
    return subprocess.Popen([CFRULES, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


class Fault(test_cli.Case):
    def setUp(self):
        self.out = self.path / self.id()
        self.out.mkdir()
        self.target = self.out / "result"

    def fit_line(self, *more):
        return ["fit", self.data, "--outcome", "decision", "-o", self.target, *(more or SMALL)]

    def writers(self):
        """Every command that writes a file, with the file as its last argument."""
        return {
            "fit": self.fit_line(),
            "explain": ["explain", self.model, self.test, "--target", "approved", "-o", self.target],
            "recourse": ["recourse", self.model, self.people, "--target", "approved", "-o", self.target],
            "regions": ["regions", self.model, self.people, "--target", "approved", "-o", self.target],
            "sufficient": ["sufficient", self.model, self.people, "-o", self.target],
            "evaluate": ["evaluate", self.model, self.people, "--target", "approved", "-o", self.target],
            "probability": ["probability", self.model, "--row", self.people, "--row-index", 0, "--region", "{}", "--target", "approved", "-o", self.target],
        }

    def printers(self):
        """Every command that prints, without -o."""
        lines = {name: line[:-2] for name, line in self.writers().items() if name != "fit"}
        return {**lines, "inspect": ["inspect", self.model], "validate": ["validate", self.model], "--version": ["--version"], "help": ["fit", "--help"]}

    def one_sentence(self, done, code, pattern):
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertRegex(done.stderr, pattern)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)


class Disks(Fault):
    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_a_full_disk_under_standard_output(self):
        for name, line in self.printers().items():
            with self.subTest(command=name), open("/dev/full", "w") as full:
                done = subprocess.run([CFRULES, *map(str, line)], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 1)
                self.assertIn("standard output cannot be written: No space left on device", done.stderr.splitlines()[-1])

    def test_a_file_that_may_not_grow_leaves_the_old_one(self):
        for name, line in self.writers().items():
            with self.subTest(command=name):
                self.target.write_text("old")
                done = subprocess.run([CFRULES, *map(str, line), "--force", "--quiet"], capture_output=True, text=True,
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
                self.one_sentence(done, 1, r"result.*File too large")
                self.assertEqual(self.target.read_text(), "old")
                self.assertEqual(os.listdir(self.out), ["result"])

    def test_folders_that_cannot_be_written(self):
        places = [self.out / "nowhere" / "result", pathlib.Path("/proc/result")]
        if os.geteuid() != 0:
            self.out.chmod(0o555)
            places.append(self.target)
        for name, line in self.writers().items():
            for place in places:
                with self.subTest(command=name, place=place):
                    done = run(*[place if part == self.target else part for part in line], "--quiet")
                    self.one_sentence(done, 1, f"{place}.*(cannot be written|: )")
        self.out.chmod(0o755)

    def test_a_folder_is_not_a_file_to_write(self):
        for name, line in self.writers().items():
            with self.subTest(command=name):
                for more in ([], ["--force"]):
                    done = run(*[self.out if part == self.target else part for part in line], *more, "--quiet")
                    self.one_sentence(done, 3, "is a directory; the name of a file is needed")

    def test_existing_files_are_kept(self):
        for name, line in self.writers().items():
            with self.subTest(command=name):
                self.target.write_text("precious")
                self.one_sentence(run(*line, "--quiet"), 1, "result: exists already; --force overwrites it")
                self.assertEqual(self.target.read_text(), "precious")


class Pipes(Fault):
    def test_a_closed_pipe_ends_quietly(self):
        for name, line in self.printers().items():
            with self.subTest(command=name):
                reader, writer = os.pipe()
                os.close(reader)
                quiet = [] if name in ("help", "--version") else ["--quiet"]
                done = subprocess.run([CFRULES, *map(str, line), *quiet], stdout=writer, stderr=subprocess.PIPE, text=True)
                os.close(writer)
                self.assertEqual((done.returncode, done.stderr), (1, ""))


class Signals(Fault):
    def interrupted(self, process, number=signal.SIGINT):
        begin = time.monotonic()
        process.send_signal(number)
        process.wait(timeout=60)  # before communicate, which would end the standard input too
        _, words = process.communicate()
        self.assertLess(time.monotonic() - begin, 10)  # a second on a machine of its own
        self.assertEqual(process.returncode, 130, words)
        self.assertEqual(os.listdir(self.out), [])

    def test_while_reading(self):
        for line in (["fit", "-", "--outcome", "decision", "-o", self.target], ["explain", self.model, "-", "--target", "approved", "-o", self.target]):
            process = start(*line, stdin=subprocess.PIPE)
            process.stdin.write(",".join(COLUMNS) + "\n")
            process.stdin.flush()
            time.sleep(0.5)
            self.interrupted(process)

    def test_while_fitting(self):
        process = start(*self.fit_line("--trees", 60000))
        time.sleep(1)
        self.interrupted(process)

    def test_while_explaining(self):
        many = self.path / "many.csv"
        write_csv(many, COLUMNS, self.rejected * 3000)
        for line in (["explain", self.model, many, "--target", "approved"], ["recourse", self.model, many, "--target", "approved"],
                     ["sufficient", self.model, many], ["evaluate", self.model, many, "--target", "approved"],
                     ["regions", self.model, many, "--target", "approved", "--max-rule-features", 4]):
            with self.subTest(command=line[0]):
                process = start(*line, "-o", self.target, "--quiet")
                time.sleep(0.7)
                if process.poll() is not None:
                    process.communicate()
                    continue  # a fast machine was done before
                self.interrupted(process, signal.SIGTERM)

    def test_at_any_moment_a_fit_leaves_a_whole_model_or_none(self):
        begin = time.monotonic()
        self.good(*self.fit_line())
        whole, took = self.target.read_bytes(), time.monotonic() - begin
        self.target.unlink()
        for step in range(16):
            process = start(*self.fit_line())
            time.sleep(took * step / 12)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            found = os.listdir(self.out)
            self.assertIn(process.returncode, (0, 130, -signal.SIGINT))  # the last: before main() began
            self.assertIn(found, ([], ["result"]))
            if found:
                self.assertEqual(self.target.read_bytes(), whole)
                self.target.unlink()
            else:
                self.assertNotEqual(process.returncode, 0)

    def test_kill_leaves_the_old_model_or_the_new_one(self):
        self.good(*self.fit_line())
        old = self.target.read_bytes()
        begin = time.monotonic()
        self.good(*self.fit_line(*SMALL, "--seed", 1, "--force"))
        took, new = time.monotonic() - begin, self.target.read_bytes()
        self.assertNotEqual(old, new)
        for step in range(16):
            self.target.write_bytes(old)
            process = start(*self.fit_line(*SMALL, "--seed", 1, "--force"))
            time.sleep(took * step / 12)
            process.kill()
            process.communicate(timeout=60)
            self.assertIn(self.target.read_bytes(), (old, new))


class Races(Fault):
    def test_two_processes_write_the_same_file(self):
        for force in ([], ["--force"]):
            for _ in range(5):
                processes = [start(*self.fit_line(*SMALL, "--seed", seed, *force, "--quiet")) for seed in (1, 2)]
                done = [(process.communicate(timeout=120)[1], process.returncode) for process in processes]
                self.good("validate", self.target)
                self.assertEqual(os.listdir(self.out), ["result"])
                codes = sorted(code for _, code in done)
                self.assertEqual(codes[0], 0, done)
                if force:
                    self.assertEqual(codes, [0, 0], done)
                else:
                    self.assertIn(codes[1], (1, 3), done)  # there already at the start, or at the end
                    self.assertRegex("".join(words for words, _ in done), "exists")
                self.target.unlink()


class Memory(Fault):
    def test_too_little_memory_is_said(self):
        large = self.path / "large.csv"
        with open(large, "w") as file:
            file.write(",".join(COLUMNS) + ",decision\n")
            line = "30,20000,1.5,own,no,approved\n31,20001,2.5,rent,yes,rejected\n"
            file.write(line * 1_000_000)
        for megabytes in (200, 300):
            done = subprocess.run(["bash", "-c", f"ulimit -v {megabytes * 1024}; exec \"$@\"", "-", CFRULES, *map(str, ["fit", large, "--outcome", "decision", "-o", self.target])],
                                  capture_output=True, text=True, timeout=600)
            self.one_sentence(done, 1, "there is not enough memory for this; use fewer rows or columns, or allow more memory")
            self.assertEqual(os.listdir(self.out), [])

    def test_no_threads_to_be_had_is_no_reason_to_fail(self):
        done = run("explain", self.model, self.people, "--target", "approved", "--quiet", "--threads", 1)
        many = run("explain", self.model, self.people, "--target", "approved", "--quiet", "--threads", 4_000_000)
        self.assertEqual((many.returncode, many.stdout), (0, done.stdout), many.stderr)


class Damage(Fault):
    def test_tables_damaged_at_random_are_refused_or_read(self):
        chance = random.Random(20240131)
        table = self.data.read_bytes()
        people = self.people.read_bytes()
        for _ in range(60):
            for name, content in (("fit", table), ("explain", people)):
                spoilt = self.file("spoilt.csv", damaged(content, chance))
                line = ["fit", spoilt, "--outcome", "decision", "-o", self.target, "--force", *SMALL] if name == "fit" else ["explain", self.model, spoilt, "--target", "approved"]
                done = run(*line, "--quiet")
                self.assertIn(done.returncode, (0, 3), done.stderr)
                self.assertLessEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_models_damaged_at_random_are_refused(self):
        chance = random.Random(7)
        content = self.model.read_bytes()
        for _ in range(60):
            spoilt = damaged(content, chance)
            if spoilt == content:
                continue
            done = run("explain", self.file("spoilt.cfr", spoilt), self.people, "--target", "approved")
            self.one_sentence(done, 3, r"spoilt\.cfr")


def damaged(content, chance):
    """A few bytes flipped, cut out, doubled or replaced by what hurts most."""
    bytes_ = bytearray(content)
    for _ in range(1 + chance.randrange(4)):
        at = chance.randrange(len(bytes_)) if bytes_ else 0
        length = 1 + chance.randrange(30)
        what = chance.randrange(5)
        if what == 0 and bytes_:
            bytes_[at] ^= 1 << chance.randrange(8)
        elif what == 1:
            del bytes_[at : at + length]
        elif what == 2:
            bytes_[at:at] = bytes_[at : at + length]
        elif what == 3:
            bytes_[at:at] = chance.choice([b'"', b"\n", b"\r", b",", b";", b"1e999", b"\xff", b"\x00", b"-", b"nan"])
        else:
            del bytes_[at:]
    return bytes(bytes_)


class Supply(Fault):
    def test_version_says_version_build_and_compiler(self):
        self.assertRegex(self.good("--version").stdout, r"^cfrules \d+\.\d+\.\d+ \(\w+, (GNU|Clang|AppleClang) \d+(\.\d+)*\)\n$")

    def test_nothing_here_can_use_a_network(self):
        listed = subprocess.run(["nm", "-D", "--undefined-only", CFRULES], capture_output=True, text=True)
        if listed.returncode != 0:
            self.skipTest("needs nm")
        used = {line.split()[-1].split("@")[0] for line in listed.stdout.splitlines() if line.split()}
        self.assertIn("write", used)
        network = {"socket", "connect", "bind", "listen", "accept", "accept4", "send", "sendto", "sendmsg", "recv", "recvfrom", "recvmsg",
                   "getaddrinfo", "gethostbyname", "getnameinfo", "dlopen", "if_nametoindex"}
        self.assertEqual(used & network, set())

    def test_every_dependency_has_its_licence_listed(self):
        text = (ROOT / "docs" / "licences.md").read_text()
        wanted = set()
        for cmake in ROOT.glob("*/CMakeLists.txt"):
            for line in cmake.read_text().splitlines():
                if line.strip().startswith("find_package("):
                    wanted.add(line.split("(")[1].split()[0])
        for name in wanted - {"Threads", "Python3", "Python"}:
            self.assertIn(name.lower(), text.lower(), name)


if __name__ == "__main__":
    unittest.main()
