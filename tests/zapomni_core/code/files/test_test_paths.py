"""Which files hold tests."""

import pytest

from zapomni_core.code.files.tests import is_test_path


@pytest.mark.parametrize(
    "path",
    [
        "tests/helper.py",
        "Tests/Helper.swift",
        "okio/src/jvmTest/kotlin/Buffers.kt",
        "src/androidTests/Buffers.kt",
        "Dapper.Tests/Constants.cs",
        "src/test_app.py",
        "app.spec.ts",
        "RequestTests.swift",
    ],
)
def test_folders_and_names_tell_tests(path: str) -> None:
    assert is_test_path(path)


@pytest.mark.parametrize(
    "path", ["latest/app.py", "contest/run.go", "src/Attest.kt", "fastest.py"]
)
def test_words_that_end_alike_tell_no_tests(path: str) -> None:
    assert not is_test_path(path)
